"""What can be shared by link, picture and frame: matches that are over, imported records and shared studies, and their addresses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext

from accounts.models import User
from games import registry
from games.kit.protocol import Game, Variant
from games.kit.record import Record
from matches import payloads, scenes, words
from matches.models import Match
from matches.pictures import size_of
from studies.imports import record_of as record_of_imported
from studies.models import Imported, Study

Kind = Literal["match", "imported", "study"]
MOST_TRIED = 60
"""Moves in an address."""
FRAME_WIDTH = 480
FRAME_ROOM = 150
"""Pixels of a frame: how wide, and how much higher than the picture of the board."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that can be shared; addresses are paths."""

    kind: Kind
    base: str
    """Where its pictures are: `/match/12/`."""
    page: str
    """Where it is replayed."""
    game: Game
    variant: Variant
    plies: int
    title: str
    result: str
    """How it ended, in a sentence; empty where that is not known."""
    identity: str
    """The same for the same plies and names."""
    public: bool
    """Whether others may see it who only have the address."""
    load: Callable[[], Record]
    visible_to: Callable[[User | None], bool] = lambda _: False
    """Whether somebody may see it although it is not public."""

    @property
    def file_name(self) -> str:
        """How its files begin."""
        return f"tessera-{self.game.key}-{self.base.rstrip('/').rpartition('/')[2]}"

    def link(self, ply: int | None = None, moves: Sequence[str] = ()) -> str:
        """The whole address of its page, at a ply and after moves that were tried from there."""
        asked = [] if ply is None else [("ply", str(ply)), *(("move", text) for text in moves)]
        return settings.SITE_URL + self.page + (f"?{urlencode(asked)}" if asked else "")

    def picture(self, ply: int, ending: str, moves: Sequence[str] = ()) -> str:
        """The path of a picture of a position: `.png`, `.svg`, or `/preview.png` for messengers."""
        tried = f"?{urlencode([('move', text) for text in moves])}" if moves else ""
        return f"{self.base}ply/{ply}{ending}{tried}"

    def tried(self, asked: Sequence[str]) -> tuple[str, ...]:
        """Of the moves in an address those that count: only in studies are any tried."""
        return tuple(asked[:MOST_TRIED]) if self.kind == "study" else ()

    def frame(self, ply: int, width: int = FRAME_WIDTH) -> str:
        """The code that shows it on another site."""
        width, height = self.frame_size(width)
        return format_html(
            '<iframe src="{}{}embed/?ply={}" title="{}" width="{}" height="{}" style="border:0;max-width:100%" loading="lazy"></iframe>',
            settings.SITE_URL, self.base, ply, self.title, width, height,
        )  # fmt: skip

    def frame_size(self, width: int = FRAME_WIDTH) -> tuple[int, int]:
        """How large a frame of that width should be, in pixels."""
        state = self.game.start(self.variant.key)
        wide, high = size_of(self.game.picture(self.variant.key, state.view(None)))
        return width, round(width * high / wide) + FRAME_ROOM

    def records(self) -> list[dict[str, str]]:
        """As which files it can be taken along: `{"name", "url"}`."""
        if self.kind == "study":
            return []
        kinds = [(gettext("Record"), ".json")]
        kinds += [(one.name, one.suffix) for one in self.game.formats if self.variant.key in one.variants]
        return [{"name": f"{name} ({suffix})", "url": f"{self.base}record{suffix}"} for name, suffix in kinds]

    def described(self, ply: int | None) -> str:
        """One line about it, at a ply or as a whole; of a record from elsewhere also that it is one."""
        told = self._told(ply)
        return f"{gettext('Imported record')} · {told}" if self.kind == "imported" else told

    def _told(self, ply: int | None) -> str:
        if ply is not None and ply < self.plies:
            return gettext("Ply {n} of {all}").format(n=ply, all=self.plies)
        return self.result or gettext("{all} plies, to step through").format(all=self.plies)


def subject_at(match_id: int | str | None = None, imported: str | None = None, study: str | None = None) -> Subject | None:
    """What is at an address, whoever asks; `None` where there is nothing to share."""
    if match_id is not None:
        match = Match.objects.with_seats().filter(pk=match_id).first()
        return of_match(match) if match else None
    if imported is not None:
        found = Imported.objects.filter(token=imported).first()
        return of_imported(found) if found else None
    shared = Study.objects.select_related("match").filter(token=study, shared=True).first()
    return of_study(shared) if shared else None


def of_match(match: Match) -> Subject | None:
    """A match, loaded with its seats; nothing while it is played, and nothing of one that was called off."""
    if match.status != Match.Status.FINISHED:
        return None
    base = reverse("match", args=[match.pk])
    names = [seat["name"] for seat in payloads.seats_of(match, None)]
    return Subject(
        kind="match",
        base=base,
        page=reverse("replay", args=[match.pk]),
        game=match.rules,
        variant=match.rules_variant,
        plies=match.ply,
        title=_title(names, match.rules, match.rules_variant),
        result=payloads.cards([match], None)[0]["result_text"],
        identity=f"match {match.chain} {names}",
        public=not match.private,
        load=lambda: scenes.record_of(match),
        visible_to=match.visible_to,
    )


def of_imported(imported: Imported) -> Subject:
    """A record from elsewhere, which everybody may see who has its link."""
    record = record_of_imported(imported)
    rules = registry.get(record.game)
    names = scenes.names_of(record)
    base = f"/imported/{imported.token}/"
    return Subject(
        kind="imported",
        base=base,
        page=base,
        game=rules,
        variant=rules.variant(record.variant),
        plies=len(record.plies),
        title=_title(list(names), rules, rules.variant(record.variant)),
        result=_result(names, record),
        identity=f"record {imported.digest}",
        public=True,
        load=lambda: record,
    )


def of_study(study: Study) -> Subject:
    """A study with the line that it starts from; others may see one that is shared, unless its line is that of a private match."""
    rules = study.rules
    base = f"/studies/{study.token}/"
    names = tuple(study.names) if len(study.names) == study.rules_variant.seats else None
    record = Record(study.game, study.variant, tuple(study.plies), options=tuple(study.options), seats=names)
    return Subject(
        kind="study",
        base=base,
        page=base,
        game=rules,
        variant=study.rules_variant,
        plies=len(record.plies),
        title=study.title,
        result="",
        identity=f"study {study.token} {study.version}",
        public=study.shared and not (study.match and study.match.private),
        load=lambda: record,
    )


def of_context(context: Any) -> Subject | None:
    """What a page with this context is about: its `study`, or else its `match` or `imported` record."""
    if isinstance(study := context.get("study"), Study):
        return of_study(study)
    if isinstance(match := context.get("match"), Match):
        return of_match(match)
    return of_imported(imported) if isinstance(imported := context.get("imported"), Imported) else None


def _title(names: list[str], rules: Game, variant: Variant) -> str:
    sentence = gettext("{names}: {game}, {variant}")
    return sentence.format(names=" – ".join(names), game=words.say(rules.name), variant=words.say(variant.name))


def _result(names: Sequence[str], record: Record) -> str:
    result = record.result
    return payloads.won_by(names, result.ranks, resigned=result.reason == "resigned") if result and 1 in result.ranks else ""
