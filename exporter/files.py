"""Files written whole or not at all: temporary sibling, fsync, replace, fsync of the folder, under a lock."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import tempfile
from typing import TYPE_CHECKING, Final

from exporter.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_TEMPORARY: Final = ".exporter-part"
_LOCK: Final = ".exporter.lock"
_LOCK_SECONDS: Final = 600.0


def sha256(content: bytes) -> str:
    """Return the hex digest of the bytes."""
    return hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold an output folder for one writer at a time, and sweep what a killed one left.

    The folder is made where it is missing. The lock file stays in it: taking it away would let two writers hold two
    locks of one name.

    Raises:
        OutputError: The folder cannot be made or locked.
    """
    import filelock

    with _translated(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / _LOCK, timeout=_LOCK_SECONDS)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise OutputError(
                f"another exporter has been writing {folder} for {_LOCK_SECONDS:.0f} s",
                hint=f"wait for it, or delete {folder / _LOCK} if it is gone",
            ) from error
    try:
        with _translated(folder):
            for leftover in folder.glob(f".*{_TEMPORARY}"):
                leftover.unlink(missing_ok=True)
        yield
    finally:
        lock.release()


def write_all(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write files into a folder, all prepared before the first one is replaced; the last one named goes last.

    Args:
        folder: An existing folder, held with ``locked``.
        files: Bytes by file name.

    Returns:
        The paths written, in order.

    Raises:
        OutputError: A file cannot be written; those that were there before are untouched.
    """
    prepared: list[tuple[Path, Path]] = []
    try:
        for name, content in files.items():
            target = folder / name
            with _translated(target):
                if target.is_dir():
                    raise OutputError(f"{target} is a folder", hint="choose another output with -o")
                prepared.append((_prepared(target, content), target))
        for temporary, target in prepared:
            with _translated(target):
                temporary.replace(target)
        with _translated(folder):
            _sync_folder(folder)
    finally:
        for temporary, _ in prepared:
            temporary.unlink(missing_ok=True)
    return tuple(target for _, target in prepared)


def write_file(path: Path, content: bytes) -> Path:
    """Write one file whole, making the folders above it.

    Raises:
        OutputError: It cannot be written; what was there before is untouched.
    """
    with _translated(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    return write_all(path.parent, {path.name: content})[0]


def _prepared(target: Path, content: bytes) -> Path:
    from pathlib import Path

    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=_TEMPORARY, dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files for their owner alone; an edition is as readable as any new file.
        temporary.chmod(0o666 & ~_umask())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder to sync it
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(handle)


@contextlib.contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        hints = {
            errno.EACCES: "make it writable, or choose another output with -o",
            errno.EPERM: "make it writable, or choose another output with -o",
            errno.EROFS: "the file system is read-only: choose another output with -o",
            errno.ENOSPC: "the disk is full",
            errno.EFBIG: "the limit of file size is too low (ulimit -f)",
            errno.ENOTDIR: "a part of the path is a file: choose another output with -o",
            errno.EEXIST: "a file is in the way: choose another output with -o",
        }
        reason = (error.strerror or str(error)).lower()
        raise OutputError(f"cannot write {path}: {reason}", hint=hints.get(error.errno or 0)) from error
