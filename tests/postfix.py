"""A real Postfix on a port of its own, with queue, configuration and mailbox in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conftest import lacking, tool

if TYPE_CHECKING:
    from collections.abc import Iterator

# name, private, unprivileged, wake-up, limit, program (master(5)); smtpd has its own line with the port.
SERVICES = (
    ("cleanup", "n", "-", "-", "0", "cleanup"),
    ("qmgr", "n", "-", "300", "1", "qmgr"),
    ("rewrite", "-", "-", "-", "-", "trivial-rewrite"),
    ("bounce", "-", "-", "-", "0", "bounce"),
    ("defer", "-", "-", "-", "0", "bounce"),
    ("trace", "-", "-", "-", "0", "bounce"),
    ("proxymap", "-", "-", "-", "-", "proxymap"),
    ("error", "-", "-", "-", "-", "error"),
    ("retry", "-", "-", "-", "-", "error"),
    ("anvil", "-", "-", "-", "1", "anvil"),
    ("virtual", "-", "n", "-", "-", "virtual"),
)
SETTINGS = """\
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = {folder}/spool/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = relay.example
mydestination =
alias_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = static:box/
virtual_uid_maps = static:{user}
virtual_gid_maps = static:{group}
virtual_minimum_uid = 1
message_size_limit = 30000000
virtual_mailbox_limit = 0
"""


@dataclass
class Postfix:
    """A server that delivers every message for example.org into one maildir."""

    folder: Path
    port: int
    _seen: set[Path] = field(default_factory=set)

    def delivered(self) -> bytes:
        """Wait for the next message and return it as it was handed over: CRLF, without the lines of its way."""
        box = self.folder / "mail" / "box" / "new"
        for _ in range(300):
            fresh = set(box.glob("*")) - self._seen if box.is_dir() else set()
            if fresh:
                (path,) = fresh
                self._seen.add(path)
                return _as_sent(path.read_bytes())
            time.sleep(0.05)
        raise AssertionError((self.folder / "spool" / "log").read_text())


@contextlib.contextmanager
def postfix() -> Iterator[Postfix]:
    """Start a Postfix, which only root can, and stop it again."""
    program = shutil.which("postfix", path=f"{os.environ['PATH']}:/usr/sbin") or tool("postfix")
    if os.getuid() != 0:
        lacking("only root can start Postfix: its way with our messages is not tested here")
    # Its programs run as other users: the folders of pytest are closed to them.
    folder = Path(tempfile.mkdtemp(prefix="exporter-postfix-"))
    try:
        port = _configured(folder)
        _run(program, folder, "start")
        try:
            _wait_for(port)
            yield Postfix(folder, port)
        finally:
            _run(program, folder, "stop")
    finally:
        shutil.rmtree(folder)


def _configured(folder: Path) -> int:
    folder.chmod(0o755)
    for name in ("etc", "spool", "data", "mail"):
        (folder / name).mkdir()
    nobody = pwd.getpwnam("nobody")
    os.chown(folder / "data", pwd.getpwnam("postfix").pw_uid, -1)
    os.chown(folder / "mail", nobody.pw_uid, nobody.pw_gid)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    settings = SETTINGS.format(folder=folder, user=nobody.pw_uid, group=nobody.pw_gid)
    (folder / "etc" / "main.cf").write_text(settings)
    lines = [f"127.0.0.1:{port} inet n - n - - smtpd", "postlog unix-dgram n - n - 1 postlogd"]
    lines += [
        f"{name} unix {private} {plain} n {wake} {limit} {run}"
        for name, private, plain, wake, limit, run in SERVICES
    ]
    (folder / "etc" / "master.cf").write_text("\n".join(lines) + "\n")
    return port


def _run(program: str, folder: Path, order: str) -> None:
    done = subprocess.run(
        [program, "-c", folder / "etc", order], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr


def _wait_for(port: int) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise AssertionError("Postfix does not listen")


def _as_sent(stored: bytes) -> bytes:
    """Return the message without the fields that delivery puts before it, its line ends as on the wire."""
    trace = re.compile(rb"(?:(?:Return-Path|X-Original-To|Delivered-To|Received):[^\n]*\n(?:[ \t][^\n]*\n)*)+")
    found = trace.match(stored)
    assert found, stored[:200]
    return stored[found.end() :].replace(b"\n", b"\r\n")
