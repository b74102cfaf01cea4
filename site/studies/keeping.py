"""Studies, kept: made from a line, changed by their owner only, shared by their address, copied by whoever may read them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from games.kit.protocol import N_
from matches import words
from matches.errors import MatchError, NotNow
from studies import trees
from studies.models import Imported, Review, Study
from studies.positions import Line, may_read, of_study, seats_of

MOST_STUDIES = 300
LONGEST_TITLE = 80


class NoSuchStudy(MatchError):
    code = "no_such_study"
    sentence = N_("There is no such study.")


class StaleStudy(MatchError):
    """Another page has saved meanwhile."""

    code = "stale"
    sentence = N_("This study was changed on another page.")


@dataclass(frozen=True, slots=True)
class Content:
    """What a person writes of a study."""

    title: str
    shared: bool
    tree: object
    """As a browser sent it; checked before it is kept."""


def readable(token: str, player: User | None) -> Study:
    """The study at that address, if `player` may read it. Raises `NoSuchStudy`."""
    study = Study.objects.filter(token=token).select_related("owner", "match", "imported").first()
    if study is None or not may_read(study, player):
        raise NoSuchStudy
    return study


def own(token: str, player: User | None) -> Study:
    """The study at that address, if it is `player`'s. Raises `NoSuchStudy`."""
    study = readable(token, player)
    if player is None or study.owner_id != player.pk:
        raise NoSuchStudy
    return study


def make(owner: User, line: Line, content: Content, now: datetime) -> Study:
    """A new study of a line. Raises `NotNow` for one too many, and what `trees.check` raises."""
    if Study.objects.filter(owner=owner).count() >= MOST_STUDIES:
        raise NotNow(N_("You have {most} studies already. Delete some you no longer need."), most=MOST_STUDIES)
    line = trees.spelt(line)
    return Study.objects.create(
        owner=owner,
        title=_title(content.title) or title_for(line),
        shared=content.shared,
        game=line.rules.key,
        variant=line.variant.key,
        options=list(line.options),
        names=[] if line.match else list(line.names),
        plies=list(line.plies),
        tree=trees.check(line, content.tree),
        match=line.match,
        imported=line.imported,
        version=1,
        made_at=now,
        changed_at=now,
    )


def change(token: str, owner: User | None, content: Content, version: int | None, now: datetime) -> Study:
    """Keep a study as its owner has it now; `version` is the one that was changed, `None` to write over whatever there is.

    Raises `NoSuchStudy`, `StaleStudy`, and what `trees.check` raises.
    """
    study = own(token, owner)
    line = of_study(study)
    tree = trees.check(line, content.tree)
    with transaction.atomic():
        held = Study.objects.select_for_update().filter(pk=study.pk).first()
        if held is None:
            raise NoSuchStudy
        if version is not None and version != held.version:
            raise StaleStudy
        held.title = _title(content.title) or title_for(line)
        held.shared, held.tree = content.shared, tree
        held.version += 1
        held.changed_at = now
        held.save(update_fields=["title", "shared", "tree", "version", "changed_at"])
    return held


def copy(token: str, owner: User, now: datetime) -> Study:
    """The same study once more, as `owner`'s own and for nobody else. Raises `NoSuchStudy`, `NotNow`."""
    study = readable(token, owner)
    return make(owner, of_study(study), Content(study.title, False, study.tree), now)


def share(token: str, owner: User | None, shared: bool, now: datetime) -> Study:
    """Let others who have the link read a study, or no longer. Raises `NoSuchStudy`."""
    study = own(token, owner)
    with transaction.atomic():
        held = Study.objects.select_for_update().get(pk=study.pk)
        if held.shared != shared:
            held.shared, held.version, held.changed_at = shared, held.version + 1, now
            held.save(update_fields=["shared", "version", "changed_at"])
    return held


def title_for(line: Line) -> str:
    """What a study of a line is called unless its owner says otherwise: who played, else the variant."""
    who = " – ".join(seat["name"] for seat in seats_of(line)) if line.match or line.names else words.say(line.variant.name)
    return gettext("{game}: {who}").format(game=words.say(line.rules.name), who=who)[:LONGEST_TITLE]


def _title(title: str) -> str:
    return " ".join(title.split())[:LONGEST_TITLE]



def hand_over_studies(guest: User, user: User) -> None:
    """Make a guest's imported records and studies the user's own; a record that the user has already is the one that stays."""
    with transaction.atomic():
        theirs = dict(Imported.objects.filter(owner=user).values_list("digest", "pk"))
        for twice in Imported.objects.filter(owner=guest, digest__in=theirs):
            Study.objects.filter(imported=twice).update(imported=theirs[twice.digest])
            twice.delete()
        Imported.objects.filter(owner=guest).update(owner=user)
        Study.objects.filter(owner=guest).update(owner=user)
        Review.objects.filter(asked_by=guest).update(asked_by=user)
