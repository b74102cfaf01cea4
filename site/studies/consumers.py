"""The socket of pages that wait for the bot, `/ws/analysis/`.

From the browser, JSON texts with exactly these fields:
    {"type": "follow", "key"}    tell about the analysis of that key, of a position or of a match; sent again it asks how things are

To the browser:
    {"type": "progress", "key", "done", "total"}   so much of it is done
    {"type": "evaluation", "key", "evaluation"}    what was found (`analysis.payload`)
    {"type": "review", "key"}                      the review is over: read it anew
    {"type": "refused", "key", "code", "message"}  nothing is to come

A position's key says nothing to who did not ask about it. Whether its person may know of it is asked again before anything is
sent. Hints may be lost: a page that hears nothing for a while follows again. Close codes: 1009 frame too big, 4008 too many frames.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

from matches import commands, words
from matches.errors import MatchError
from matches.sockets import Socket
from studies import analysis, reviews
from studies.models import Review
from studies.news import group_of

Answer = dict[str, Any]
MOST_FOLLOWED = 8
LONGEST_KEY = 64


class AnalysisConsumer(Socket):
    """One page that waits for the bot."""

    LONGEST_FRAME = 256
    BURST, PER_SECOND = 40, 4

    async def connect(self) -> None:
        self.followed: OrderedDict[str, None] = OrderedDict()
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.leave_groups()

    async def heard_text(self, text: str) -> None:
        key = _key(text)
        if key is None:
            return
        async with self.guard():
            if not await self.ask(self._may_follow, key):
                return
            await self._follow(key)

    async def _follow(self, key: str) -> None:
        # Joined first: what happens between looking and joining would never be heard of.
        await self.join(group_of(key))
        self.followed[key] = None
        self.followed.move_to_end(key)
        if len(self.followed) > MOST_FOLLOWED:
            self.followed.popitem(last=False)
        await self._look(key)

    async def study_progress(self, hint: Answer) -> None:
        """Some more of it is done."""
        if hint["key"] in self.followed:
            await self.say({"type": "progress", "key": hint["key"], "done": hint["done"], "total": hint["total"]})

    async def study_ready(self, hint: Answer) -> None:
        """Something is over: look what this viewer may know of it."""
        if hint["key"] in self.followed:
            await self._look(hint["key"])

    async def _look(self, key: str) -> None:
        async with self.guard():
            answer = await self.ask(self._answer, key)
            if answer is not None:
                await self.say(answer)

    # Below here everything is synchronous and runs in a database thread.

    def _may_follow(self, key: str) -> bool:
        """How long a private match was is nobody else's business; the key of a position says nothing."""
        return not reviews.is_key(key) or reviews.followed(commands.player_at(self.scope), key) is not None

    def _answer(self, key: str) -> Answer | None:
        """What is known of that key for who sits at the other end; `None` while nothing is."""
        player = commands.player_at(self.scope)
        review = reviews.followed(player, key)
        if review is not None:
            return _of_review(key, review)
        try:
            return analysis.answer_to(player, key)
        except MatchError as reason:
            return {"type": "refused", "key": key, "code": reason.code, "message": words.say(reason)}


def _of_review(key: str, review: Review) -> Answer:
    if review.status == Review.Status.WAITING:
        return {"type": "progress", "key": key, "done": review.done, "total": review.total}
    return {"type": "review", "key": key}


def _key(text: str) -> str | None:
    """The key that a frame asks to follow; `None` when the text is no such frame."""
    try:
        frame = json.loads(text)
    except ValueError:
        return None
    if not isinstance(frame, dict) or frame.keys() != {"type", "key"} or frame["type"] != "follow":
        return None
    key = frame["key"]
    plain = isinstance(key, str) and 0 < len(key) <= LONGEST_KEY and key.isascii() and key.replace("-", "").isalnum()
    return key if plain else None
