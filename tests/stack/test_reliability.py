"""Every failure of `docs/reliability.md` has its tests, and what the table says of our parts is so."""

from __future__ import annotations

import re

from channels.layers import get_channel_layer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.core.handlers.asgi import ASGIRequest

from stack.places import ROOT

ROWS = [f"{part}{number}" for part, last in (("D", 19), ("M", 12), ("C", 8), ("R", 6)) for number in range(1, last + 1)]
TEST = re.compile(r"`([a-z0-9_]+/\w+\.py)::(test_\w+)`")


def test_every_failure_has_a_test_that_exists() -> None:
    lines = (ROOT / "docs" / "reliability.md").read_text().splitlines()
    rows = {line.split("|")[1].strip(): TEST.findall(line) for line in lines if line.startswith(("| D", "| M", "| C", "| R"))}
    assert list(rows) == ROWS
    for row, tests in rows.items():
        assert tests, f"{row} has no test"
        for file, name in tests:
            source = (ROOT / "tests" / file).read_text()
            assert re.search(rf"^(async )?def {name}\(", source, re.MULTILINE), f"{row} names {name}, which is not in {file}"


def test_a_header_with_an_underscore_is_not_the_one_with_a_dash() -> None:
    headers = [(b"x-forwarded-for", b"203.0.113.9"), (b"x_forwarded_for", b"198.51.100.1"), (b"x_forwarded_proto", b"https")]
    request = ASGIRequest({"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}, None)
    assert request.META["HTTP_X_FORWARDED_FOR"] == "203.0.113.9"
    assert "HTTP_X_FORWARDED_PROTO" not in request.META


def test_hints_cross_processes() -> None:
    assert isinstance(get_channel_layer(), RedisPubSubChannelLayer)
