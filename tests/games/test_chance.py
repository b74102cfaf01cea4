"""Draws: known answers of the keyed source, and that every possibility is equally likely."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import permutations

import pytest

from games.kit.chance import KeyedSource, SystemSource, choose, commitment, new_secret, shuffled
from tests.games.sources import SECRET, source


def stream(secret: bytes, label: str, blocks: int) -> bytes:
    return b"".join(hmac.new(secret, f"{label}:{block}".encode(), hashlib.sha256).digest() for block in range(blocks))


def test_bytes_of_the_stream_are_the_draws_below_256() -> None:
    drawn = source("round 1")
    assert bytes(drawn.below(256) for _ in range(100)) == stream(SECRET, "round 1", 4)[:100]


def test_a_value_past_the_last_whole_multiple_is_thrown_away() -> None:
    kept = [byte % 100 for byte in stream(SECRET, "round 2", 8) if byte < 200]
    drawn = source("round 2")
    assert [drawn.below(100) for _ in range(100)] == kept[:100]


def test_larger_numbers_are_read_big_endian_from_as_many_bytes_as_they_need() -> None:
    data = stream(SECRET, "big", 2)
    drawn = source("big")
    assert drawn.below(65536) == int.from_bytes(data[:2], "big")
    assert drawn.below(2**32) == int.from_bytes(data[2:6], "big")
    assert drawn.below(2**200) == int.from_bytes(data[6:31], "big")


def test_one_possibility_still_uses_up_a_byte_so_that_later_draws_do_not_shift() -> None:
    drawn = source("one")
    assert drawn.below(1) == 0
    assert drawn.below(256) == stream(SECRET, "one", 1)[1]


def test_equal_secrets_and_labels_draw_alike_and_others_do_not() -> None:
    def draws(secret: bytes, label: str) -> list[int]:
        drawn = KeyedSource(secret, label)
        return [drawn.below(1000) for _ in range(20)]

    assert draws(SECRET, "a") == draws(SECRET, "a")
    assert draws(SECRET, "a") != draws(SECRET, "b")
    assert draws(SECRET, "a") != draws(bytes(32), "a")


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_can_be_drawn_from_no_possibilities(n: int) -> None:
    with pytest.raises(ValueError, match=r"possibility|positive"):
        source("x").below(n)
    with pytest.raises(ValueError, match=r"possibility|positive"):
        SystemSource().below(n)


def chi_square(counts: Counter[object], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((counts[kind] - expected) ** 2 / expected for kind in counts) + (kinds - len(counts)) * expected


@pytest.mark.parametrize("n", [2, 3, 7, 100, 255, 256, 257])
def test_every_number_is_drawn_equally_often(n: int) -> None:
    """Chi-square stays below its mean n−1 by more than five standard deviations √(2(n−1)) only by a fault."""
    drawn = source(f"uniform {n}")
    counts: Counter[object] = Counter(drawn.below(n) for _ in range(40 * n + 2000))
    assert set(counts) <= set(range(n))
    assert chi_square(counts, n) < (n - 1) + 5 * (2 * (n - 1)) ** 0.5


def test_every_order_of_four_things_is_equally_likely() -> None:
    drawn = source("orders")
    counts: Counter[object] = Counter(tuple(shuffled("abcd", drawn)) for _ in range(4800))
    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24) < 23 + 5 * 46**0.5


def test_shuffling_leaves_the_original_and_keeps_every_item() -> None:
    items = list(range(50))
    mixed = shuffled(items, source("mix"))
    assert items == list(range(50))
    assert mixed != items
    assert sorted(mixed) == items


def test_a_choice_is_one_of_the_items() -> None:
    drawn = source("choice")
    assert {choose("abc", drawn) for _ in range(50)} == set("abc")


def test_a_commitment_is_the_hash_of_a_secret_of_32_bytes() -> None:
    secret = new_secret()
    assert len(secret) == 32
    assert secret != new_secret()
    assert commitment(secret) == hashlib.sha256(secret).hexdigest()


def test_the_system_source_stays_in_range() -> None:
    assert {SystemSource().below(3) for _ in range(200)} == {0, 1, 2}
