"""Whole matches in two worlds that differ only in what a viewer cannot know: it gets the same bytes in both."""

from __future__ import annotations

import base64
import json
import re
from contextlib import asynccontextmanager
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

import pytest
from channels.db import database_sync_to_async as in_db
from django.db import connection
from django.test import Client

from games import registry
from games.kit.protocol import CHANCE, Game, is_chance
from matches import tasks
from matches.models import Match
from matches.replay import position_of
from matches.services import Person, play_move, start_match
from tests.games.fake_cards import CARDS
from tests.games.sources import source
from tests.platform.conftest import NOW, now_at
from tests.platform.test_socket import Socket, opened
from tests.platform.worlds import Worlds, two_worlds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

PEOPLE = ("alice", "bob", "carol", "dave", "erin")
SECRETS = (b"\xc3" * 32, b"\x3c" * 32)
CHECKPOINTS = 4
"""How often in a match everything is asked for, not only what is pushed."""
PAGES = ("", "replay/", "replay/?ply=1", "record.json", "fairness/", "history/", "history.json")


def draws(game: Game) -> bool:
    return game.start(game.variants[0].key).to_move is CHANCE


def hides(game: Game) -> bool:
    start = game.start(game.variants[0].key)
    deal = start.draw(source("deal"))
    return start.play(deal).visible(deal, None) != str(deal)


WITH_CHANCE = [game for game in (CARDS, *registry.all_games()) if draws(game)]
TABLES = [
    pytest.param(game, game.variants[index].key, viewer, id=f"{game.key}:{game.variants[index].key}:{viewer}")
    for game in WITH_CHANCE
    for index, viewer in (((0, None), (0, 1), (-1, 1)) if hides(game) else ((0, None),))
]


@pytest.mark.parametrize(("game", "variant", "viewer"), TABLES)
async def test_nothing_that_is_sent_tells_two_worlds_apart(game, variant, viewer, cast):
    worlds = two_worlds(game, variant, viewer)
    assert (worlds.differ > 0) == hides(game)
    heard = []
    for number in (0, 1):
        listener = await in_db(Listener)(worlds, number, cast)
        heard.append(await listener.listen())
        await in_db(listener.match.delete)()
    assert heard[0].keys() == heard[1].keys()
    assert len(heard[0]) > len(worlds.plies[0]) // 2
    for name, text in heard[0].items():
        assert text == heard[1][name], name
        for secret in SECRETS:
            told = (secret.hex(), base64.b64encode(secret).decode().rstrip("="), repr(secret)[2:-1], str(list(secret)))
            assert not [form for form in told if form in text], name


@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in WITH_CHANCE if hides(game)])
def test_whoever_holds_what_differs_can_tell_the_worlds_apart(game):
    worlds = two_worlds(game, game.variants[0].key, 1)
    views = [[json.dumps(state.view(0)) for state in worlds.states(number)] for number in (0, 1)]
    assert views[0] != views[1]


@pytest.mark.parametrize(
    ("game", "level"),
    [pytest.param(game, level.key, id=f"{game.key}:{level.key}") for game in WITH_CHANCE for level in game.levels],
)
def test_a_bot_plays_the_same_in_worlds_that_its_seat_cannot_tell_apart(game, level):
    seat = 1
    worlds = two_worlds(game, game.variants[-1].key, seat)
    both = [(one, other) for one, other in zip(worlds.states(0), worlds.states(1), strict=True) if one.to_move == seat]
    apart = [(one, other) for one, other in both if one != other] if hides(game) else both
    assert apart
    for one, other in (apart[0], apart[-1]):
        assert tasks.choose(game, level, one, seat, source("same")) == tasks.choose(game, level, other, seat, source("same"))


class Listener:
    """Plays one world's match through the service and takes down all that its viewer gets."""

    def __init__(self, worlds: Worlds, number: int, cast: Any) -> None:
        self.worlds, self.viewer = worlds, worlds.viewer
        self.plies = [str(ply) for ply in worlds.plies[number]]
        self.chance = iter(ply for ply in worlds.plies[number] if is_chance(str(ply)))
        self.heard: dict[str, str] = {}
        people = [getattr(cast, name) for name in PEOPLE[: worlds.game.variant(worlds.variant).seats]]
        self.client = Client() if self.viewer is None else cast.at_browser(people[self.viewer])
        with connection.cursor() as cursor:  # numbers of one length
            cursor.execute("SELECT setval(pg_get_serial_sequence('matches_match', 'id'), %s, false)", [900_001 + number])
        self.match = start_match(
            worlds.game.key, worlds.variant, seats=[Person(user) for user in people], now=NOW, secret=SECRETS[number], draw=self._draw
        )

    def _draw(self, match: Match, state: Any) -> Any:
        return next(self.chance)

    async def listen(self) -> dict[str, str]:
        """What was heard, by what and when, without what differs from any match to another. The last move is not made."""
        moves = [index for index, text in enumerate(self.plies) if not is_chance(text)][:-1]
        every = max(1, len(moves) // CHECKPOINTS)
        async with self._socket() as socket:
            self._note("at open", json.dumps(await socket.position()))
            for turn, index in enumerate(moves):
                if turn % every == 0 or turn == len(moves) - 1:
                    await self._ask_everything(index)
                await in_db(self._play)(index)
                self._note(f"pushed after {index}", json.dumps(await socket.get("position")))
                if turn % 10 == 9:
                    await socket.send(type="beat", version=(await in_db(now_at)(self.match)).version)
                    self._note(f"beat after {index}", json.dumps(await socket.get("beat")))
        return self.heard

    @asynccontextmanager
    async def _socket(self) -> Any:
        async with opened(self.match, self.client if self.viewer is not None else None) as socket:
            yield socket

    def _play(self, index: int) -> None:
        match = now_at(self.match)
        assert (match.ply, match.to_move is None) == (index, False)
        play_move(match.pk, match.to_move, self.plies[index], ply=index, client_id=_intent(index), now=NOW, draw=self._draw)

    async def _ask_everything(self, index: int) -> None:
        async with self._socket() as socket:
            self._note(f"joined at {index}", json.dumps(await socket.position()))
            for number, text in enumerate(await in_db(self._tries)(index)):
                await self._tell(socket, f"why {number} at {index}", "why", id=str(_intent(number)), text=text)
            for number, (text, ply) in enumerate([("nonsense", index), (self.plies[index], index - 1), ("=?", index)]):
                await self._tell(socket, f"move {number} at {index}", "refused", type="move", id=str(_intent(-number)), text=text, ply=ply)
            if any(not is_chance(text) for text in self.plies[:index]):
                await self._repeat(socket, index)
        await in_db(self._load_pages)(index)

    async def _tell(self, socket: Socket, name: str, answer: str, **frame: Any) -> None:
        await socket.send(**{"type": answer, **frame})
        self._note(name, json.dumps(await socket.get(answer)))

    async def _repeat(self, socket: Socket, index: int) -> None:
        """Send an earlier move again: its first answer for who made it, a refusal for others."""
        earlier = max(number for number, text in enumerate(self.plies[:index]) if not is_chance(text))
        await socket.send(type="move", id=str(_intent(earlier)), text=self.plies[earlier], ply=earlier)
        assert (await socket.next())["type"] == "received"
        answer = await socket.next()
        assert answer["type"] in ("ack", "refused")
        self._note(f"again {earlier}", json.dumps(answer))

    def _tries(self, index: int) -> list[str]:
        """Moves to ask about: some that are legal, some that will be later, and nonsense."""
        state = position_of(now_at(self.match)).state
        legal = [str(state.legal_moves()[0])] if state.to_move == self.viewer else []
        later = [text for text in self.plies[index : index + 8] if not is_chance(text)]
        return [*legal, *later, "nonsense", "=?"][:8]

    def _load_pages(self, index: int) -> None:
        for path in (*(f"/match/{self.match.pk}/{page}" for page in PAGES), "/", "/nowhere/"):
            text = _whole(self.client.get(path))
            self._note(f"{path.replace(str(self.match.pk), 'MATCH')} at {index}", _timeless(text) if "history" in path else text)
        body = json.dumps({"id": str(_intent(index)), "text": "nonsense", "ply": index})
        url = f"/match/{self.match.pk}/move/"
        self._note(f"posted at {index}", _whole(self.client.post(url, body, content_type="application/json")))

    def _note(self, name: str, text: str) -> None:
        text = text.replace(str(self.match.pk), "MATCH").replace(self.match.commitment, "COMMITMENT")
        text = re.sub(r'"now": ?"[^"]*"|..:..:.. GMT', "", text)
        text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "", text)  # the form's, by chance
        self.heard[name] = re.sub(r'(csrfmiddlewaretoken" value="|csrf-token" content=")\w+', "", text)


def _whole(response: Any) -> str:
    return f"{response.status_code} {response.content.decode()} {sorted(response.headers.items())}"


def _timeless(text: str) -> str:
    """A history without the hours of the two runs: when this viewer's own sockets opened, and how long ago the match began."""
    text = re.sub(r'(?s)<section aria-labelledby="connections">.*?</section>|"connections": .*\]\}\]', "", text)
    return re.sub(r"Running for [^<]*|'Content-Length', '\d+'", "", text)


def _intent(number: int) -> UUID:
    return uuid5(NAMESPACE_OID, f"two worlds {number}")
