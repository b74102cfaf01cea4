"""Sources of chance: unbiased whole numbers from the operating system or from a match's secret.

A keyed source is HMAC-SHA-256 in counter mode with rejection sampling. We draw integers ourselves because
the standard library's `random` does not promise equal sequences across versions, and a draw must be
checkable years later from the published secret.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

T = TypeVar("T")
SECRET_BYTES = 32


class Source(Protocol):
    """Where draws come from."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n−1, each equally likely. Raises `ValueError` for n < 1."""


class SystemSource:
    """Fresh randomness of the operating system."""

    def below(self, n: int) -> int:
        return secrets.randbelow(n)


class KeyedSource:
    """The draws that a secret fixes for a label: equal secret and label, equal draws, for ever.

    Block i of the stream is HMAC-SHA-256(secret, label + ":" + i); numbers are read from it big-endian in the
    fewest whole bytes that hold n−1, and a value past the last whole multiple of n is thrown away.
    """

    def __init__(self, secret: bytes, label: str) -> None:
        self._secret = secret
        self._label = label.encode()
        self._buffer = b""
        self._block = 0

    def _next_block(self) -> bytes:
        message = self._label + b":%d" % self._block
        self._block += 1
        return hmac.digest(self._secret, message, "sha256")

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._buffer += self._next_block()
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def below(self, n: int) -> int:
        if n < 1:
            raise ValueError("a draw needs at least one possibility")
        size = max(1, ((n - 1).bit_length() + 7) // 8)
        limit = 256**size // n * n
        while True:
            value = int.from_bytes(self._take(size), "big")
            if value < limit:
                return value % n


@dataclass(frozen=True, slots=True)
class Number:
    """One number that was drawn: a whole number below `below`, read from bytes of which all but the last were thrown away."""

    below: int
    read: tuple[bytes, ...]
    result: int


class TracedSource(KeyedSource):
    """A keyed source that keeps what it did, for people who check a draw step by step."""

    def __init__(self, secret: bytes, label: str) -> None:
        super().__init__(secret, label)
        self.blocks: list[bytes] = []
        self.numbers: list[Number] = []
        self._read: list[bytes] = []

    def _next_block(self) -> bytes:
        self.blocks.append(super()._next_block())
        return self.blocks[-1]

    def _take(self, size: int) -> bytes:
        self._read.append(super()._take(size))
        return self._read[-1]

    def below(self, n: int) -> int:
        self._read = []
        result = super().below(n)
        self.numbers.append(Number(n, tuple(self._read), result))
        return result


def new_secret() -> bytes:
    """A match's secret: 32 bytes from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is shown from the start: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def choose(items: Sequence[T], source: Source) -> T:
    """One of `items`, each equally likely."""
    return items[source.below(len(items))]


def shuffled(items: Sequence[T], source: Source) -> list[T]:
    """`items` in random order (Fisher–Yates from the end)."""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = source.below(last + 1)
        result[last], result[other] = result[other], result[last]
    return result
