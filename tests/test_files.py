from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from exporter.errors import OutputError
from exporter.files import locked, write_all, write_file


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_files_are_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    with locked(tmp_path / "a" / "b"):
        paths = write_all(tmp_path / "a" / "b", {"x.pdf": b"1", "manifest.json": b"2"})
    assert [path.name for path in paths] == ["x.pdf", "manifest.json"]
    assert {"x.pdf", "manifest.json"} <= names(tmp_path / "a" / "b") <= {"x.pdf", "manifest.json", ".exporter.lock"}


def test_a_failure_in_the_middle_leaves_every_old_file(tmp_path: Path) -> None:
    write_all(tmp_path, {"a.txt": b"old a", "b.txt": b"old b"})
    (tmp_path / "c.txt").mkdir()
    with pytest.raises(OutputError, match=r"c\.txt is a folder"):
        write_all(tmp_path, {"a.txt": b"new a", "b.txt": b"new b", "c.txt": b"new c"})
    assert (tmp_path / "a.txt").read_bytes() == b"old a"
    assert (tmp_path / "b.txt").read_bytes() == b"old b"
    assert names(tmp_path) == {"a.txt", "b.txt", "c.txt"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_without_write_access_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(OutputError, match=str(tmp_path)):
        write_file(tmp_path / "x", b"")


def test_a_file_in_the_way_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(OutputError, match="cannot write") as caught, locked(tmp_path / "out" / "issue"):
        pass
    assert caught.value.exit_code == 7
    assert caught.value.hint


def test_leftovers_of_a_killed_writer_are_swept(tmp_path: Path) -> None:
    (tmp_path / ".x.pdf.abc.exporter-part").write_bytes(b"half")
    with locked(tmp_path):
        pass
    assert not list(tmp_path.glob("*.exporter-part"))
    assert not list(tmp_path.glob(".*.exporter-part"))


def test_new_files_are_as_readable_as_any(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        write_file(tmp_path / "x", b"")
    finally:
        os.umask(old)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o644


def test_two_writers_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []

    def work(number: int) -> None:
        with locked(tmp_path):
            inside.append(number)
            time.sleep(0.05)
            assert inside[-1] == number
            write_all(tmp_path, {"x": str(number).encode() * 1000})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set((tmp_path / "x").read_bytes())) == 1
    assert len(inside) == 4


WRITER = """
import sys
from pathlib import Path
from exporter.files import locked, write_all
folder = Path(sys.argv[1])
number = 0
while True:
    number += 1
    with locked(folder):
        write_all(folder, {"a": b"%08d" % number * 20000, "b": b"%08d" % number * 20000})
"""


def test_a_kill_at_any_moment_leaves_whole_files(tmp_path: Path) -> None:
    for delay in (0.15, 0.2, 0.27, 0.31, 0.38, 0.44):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)])
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        for name in ("a", "b"):
            path = tmp_path / name
            if path.exists():
                content = path.read_bytes()
                assert len(content) == 160000
                assert content == content[:8] * 20000
    with locked(tmp_path):
        pass
    assert names(tmp_path) <= {"a", "b", ".exporter.lock"}


def test_a_size_limit_leaves_the_old_file(tmp_path: Path) -> None:
    write_file(tmp_path / "x", b"old")
    script = (
        "import resource, signal, sys; from pathlib import Path\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from exporter.files import write_file; from exporter.errors import OutputError\n"
        "try: write_file(Path(sys.argv[1]), b'n' * 100000)\n"
        "except OutputError as error: print(error.message, '|', error.hint); sys.exit(error.exit_code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "x")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 7, done.stderr
    assert "ulimit" in done.stdout
    assert (tmp_path / "x").read_bytes() == b"old"
    assert names(tmp_path) == {"x"}
