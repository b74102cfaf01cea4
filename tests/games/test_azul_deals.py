"""Deals of Azul: what may be drawn when the bag lasts, runs out on the way, or the lid runs out too (cases.md row 34)."""

from __future__ import annotations

import pytest

from games.azul.tiles import letters, size
from tests.games.azul_positions import before_deal, play, refusal
from tests.games.sources import source

TWENTY = "=BBBB/YYYY/RRRR/KKKK/WWWW"


def test_a_deal_takes_its_tiles_out_of_the_bag() -> None:
    position = play(before_deal("B" * 5 + "YYYYRRRRKKKKWWWW"), TWENTY)
    assert letters(position.bag) == "B"
    assert position.to_move == 0


def test_a_bag_of_two_and_a_lid_of_thirty_fill_all_factories() -> None:
    position = before_deal("BB", "R" * 15 + "K" * 15)
    deal = position.draw(source("pour"))
    assert all(size(heap) == 4 for heap in deal.factories)
    assert letters(deal.factories[0]).startswith("BB")
    position = position.play(deal)
    assert size(position.bag) == 12 and position.lid == 0


def test_a_bag_that_runs_out_inside_a_factory_is_poured_and_goes_on() -> None:
    before = before_deal("BBBBYY", "R" * 20)
    position = play(before, "=BBBB/YYRR/RRRR/RRRR/RRRR")
    assert (letters(position.bag), letters(position.lid)) == ("RRRRRR", "")
    assert refusal(before, "=BBBB/YRRR/YRRR/RRRR/RRRR").code == "bag_first"
    assert refusal(before, "=BBBR/BYYR/RRRR/RRRR/RRRR").code == "not_in_bag"


def test_a_bag_that_is_just_enough_is_not_refilled_before_the_next_deal() -> None:
    position = play(before_deal("BBBBYYYYRRRRKKKKWWWW", "BY"), TWENTY)
    assert (letters(position.bag), letters(position.lid)) == ("", "BY")


def test_with_bag_and_lid_empty_the_remaining_places_stay_empty() -> None:
    before = before_deal("BBBBY", "R")
    deal = before.draw(source("few"))
    assert [size(heap) for heap in deal.factories] == [4, 2, 0, 0, 0]
    assert "R" in letters(deal.factories[1])
    position = play(before, "=BBBB/YR/-/-/-")
    assert size(position.bag) == size(position.lid) == 0
    assert position.view(None)["factories"] == ["BBBB", "YR", "", "", ""]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("=BBBB/YYYY/RRRR/KKKK", "wrong_factories"),
        (TWENTY + "/WWWW", "wrong_factories"),
        ("=BBBB/YYYY/RRRR/KKKK/WWW", "wrong_count"),
        ("=BBBB/YYYY/-/RRRR/WWWW", "wrong_count"),
        ("=BBBB/BBYY/RRRR/KKKK/WWWW", "not_in_bag"),
        ("1B1", "deal_due"),
    ],
)
def test_a_deal_that_could_not_be_drawn_is_refused(text: str, code: str) -> None:
    error = refusal(before_deal("BBBBBYYYYYRRRRRKKKKKWWWWW"), text)
    assert error.code == code
    assert str(error)


def test_every_tile_of_the_bag_is_drawn_equally_often() -> None:
    position = before_deal("B" * 20 + "Y" * 10)
    randomness = source("fair")
    first = [position.draw(randomness).factories[0] for _ in range(400)]
    blues = sum(letters(heap).count("B") for heap in first) / (4 * 400)
    assert 0.63 < blues < 0.70
