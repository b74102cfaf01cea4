"""What the running web process lets in by a socket."""

from typing import Any

import pytest
from django.utils import timezone
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from games import registry
from matches.services import BotSeat, start_match
from stack.processes import FRAME_BYTES


@pytest.fixture
def address(live_site: Any) -> str:
    """The socket of a match to watch."""
    game = registry.all_games()[0]
    variant = game.variants[0]
    match = start_match(game.key, variant.key, seats=[BotSeat(game.levels[0].key)] * variant.seats, now=timezone.now())
    return f"{live_site.url.replace('http', 'ws')}/ws/match/{match.pk}/"


def opened(address: str, origin: str | None) -> ClientConnection:
    return connect(address, origin=origin, compression=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("origin", [None, "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1", "null"])
def test_a_page_of_somebody_else_gets_no_socket(address: str, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        opened(address, origin)
    assert refused.value.response.status_code in (400, 403)


def test_our_own_page_gets_one(address: str, live_site: Any) -> None:
    with opened(address, live_site.url) as socket:
        socket.send('{"type": "beat", "version": -1}')
        assert socket.recv(timeout=10)


def test_a_message_that_is_too_long_closes_the_socket(address: str, live_site: Any) -> None:
    with opened(address, live_site.url) as socket, pytest.raises(ConnectionClosedError) as closed:
        socket.send("x" * (FRAME_BYTES + 1))
        while True:
            socket.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_so_does_one_in_many_parts(address: str, live_site: Any) -> None:
    with opened(address, live_site.url) as socket, pytest.raises(ConnectionClosedError) as closed:
        socket.send("x" * 1024 for _ in range(FRAME_BYTES // 1024 + 1))
        while True:
            socket.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
