"""For every relation of a table to a person: what of it the person takes along, and what stays after the account is gone.

A test walks all models and fails where one refers to people and is not decided about here, so that nobody forgets.
Columns are listed one by one, never left out from a whole, so that a secret that is added later stays where it is.
"""

from __future__ import annotations

from dataclasses import dataclass

STAFF = "What a moderator did belongs to the records of the site."
OTHERS = "It is somebody else's own choice, which nobody is told."
FAIR_PLAY = "It would tell how cheating is looked for, and about others."


@dataclass(frozen=True, slots=True)
class Relation:
    """What becomes of the rows that refer to a person in one way."""

    section: str = ""
    """Under what name the rows stand in the export; empty where they are withheld."""
    columns: tuple[str, ...] = ()
    """What is exported of a row; `other__name` goes on to what it refers to. A person is exported as the name that others see."""
    withheld: str = ""
    """Why nothing of it is exported."""
    stays: bool = False
    """Whether the rows stay after a deletion, without the person; else they go."""


def _withheld(why: str, *, stays: bool = False) -> Relation:
    return Relation(withheld=why, stays=stays)


RELATIONS = {
    "account.EmailAddress.user": Relation("emails", ("email", "verified", "primary")),
    "mfa.Authenticator.user": Relation("second_steps", ("type", "created_at", "last_used_at")),
    "socialaccount.SocialAccount.user": Relation("sign_in_elsewhere", ("provider", "uid", "date_joined", "last_login")),
    "usersessions.UserSession.user": Relation("devices", ("user_agent", "ip", "created_at", "last_seen_at")),
    "accounts.Browser.user": Relation("browsers", ("first_at", "last_at")),
    "accounts.FormerName.user": Relation("former_names", ("name", "left_at"), stays=True),
    "accounts.Tie.user": Relation("ties", ("other", "kind", "made_at")),
    "accounts.Tie.other": _withheld(OTHERS),
    "accounts.PrivateNote.user": Relation("private_notes", ("other", "text", "updated_at")),
    "accounts.PrivateNote.other": _withheld(OTHERS),
    "accounts.Sanction.user": Relation("sanctions", ("kind", "reason", "made_at", "ends_at", "lifted_at", "read_at")),
    "accounts.Sanction.made_by": _withheld(STAFF, stays=True),
    "accounts.User_groups.user": _withheld(STAFF),
    "accounts.User_user_permissions.user": _withheld(STAFF),
    "admin.LogEntry.user": _withheld(STAFF),
    "matches.Seat.user": Relation(
        "matches",
        (
            "match", "number", "match__game", "match__variant", "match__status", "match__termination", "match__rated", "match__private",
            "match__time_control", "match__created_at", "match__finished_at", "match__scores", "match__ranks",
            "rating", "left_at_ply", "left_why",
        ),
        stays=True,
    ),
    "studies.Imported.owner": Relation("imported_records", ("game", "variant", "format", "record", "made_at")),
    "studies.Study.owner": Relation(
        "studies", ("title", "game", "variant", "options", "names", "plies", "tree", "shared", "made_at", "changed_at")
    ),
    "studies.Review.asked_by": Relation("analyses", ("match", "imported", "asked_at", "done_at"), stays=True),
    "shelf.Favourite.user": Relation("favourite_matches", ("match", "imported", "at")),
    "shelf.Tag.user": Relation("tags", ("name", "tagged")),
    "shelf.Collection.owner": Relation("collections", ("title", "words", "audience", "made_at", "changed_at", "items")),
    "shelf.Comment.user": Relation("comments", ("match", "imported", "ply", "text", "public", "at", "edited_at", "removed_at")),
    "shelf.Comment.removed_by": _withheld(STAFF, stays=True),
    "profiles.Played.user": _withheld("It says what the matches say, once more."),
    "archive.FiledSeat.user": _withheld("It says what the matches say, once more."),
    "matches.ChatLine.user": Relation("chat", ("match", "room", "text", "phrase", "at"), stays=True),
    "matches.Vacation.user": Relation("vacations", ("starts", "ends")),
    "matches.FollowUp.person": _withheld("It is work that is about to be done; what comes of it stands under the notices."),
    "lobby.Seek.host": Relation(
        "tables",
        (
            "kind", "game", "variant", "options", "time_control", "rated", "private", "rating_low", "rating_high", "language", "message",
            "status", "created_at", "closed_at", "match",
        ),
    ),
    "lobby.Place.user": Relation("places_at_tables", ("seek", "number", "joined_at"), stays=True),
    "lobby.Place.invited": Relation("invitations", ("seek", "number", "seek__host"), stays=True),
    "lobby.SatDown.user": Relation("sitting_down", ("since", "times")),
    "notices.NoticeSettings.user": Relation(
        "notice_settings", ("mail", "push", "sound", "title", "badge", "digest_hour", "mailed_at", "mail_failed_at")
    ),
    "notices.PushSubscription.user": Relation("pushes", ("name", "made_at", "last_ok_at")),
    "notices.Notice.user": Relation("notices", ("kind", "match", "data", "at", "digested_at")),
    "ladder.Rating.user": Relation("ratings", ("game", "pace", "mu", "sigma", "matches", "updated_at")),
    "ladder.Placing.user": Relation("placings", ("game", "pace", "period", "mu", "sigma", "matches", "listed", "updated_at")),
    "ladder.Unlisted.user": _withheld("It follows from the sanctions."),
    "ladder.RatingChange.user": Relation(
        "rating_changes",
        (
            "rated__match_id", "rated__game", "rated__pace", "rated__ended_at", "seat",
            "mu_before", "sigma_before", "mu_after", "sigma_after",
        ),
        stays=True,
    ),
    "ladder.SeasonPlace.user": Relation(
        "seasons",
        ("season__game", "season__pace", "season__key", "division", "points", "matches", "place", "outcome"),
        stays=True,
    ),
    "rungs.Rung.user": Relation("rungs", ("game", "position", "best", "joined_at", "active_at")),
    "rungs.Step.user": Relation("rung_steps", ("game", "before", "after", "why", "at")),
    "rungs.Challenge.challenger": Relation(
        "ladder_challenges_made",
        ("game", "challenged", "from_position", "to_position", "state", "made_at", "settled_at", "match"),
        stays=True,
    ),
    "rungs.Challenge.challenged": Relation(
        "ladder_challenges_got",
        ("game", "challenger", "from_position", "to_position", "state", "made_at", "settled_at", "match"),
        stays=True,
    ),
    "care.Report.reporter": Relation("reports_made", ("about", "kind", "text", "match", "made_at"), stays=True),
    "care.Report.about": _withheld("A report is confidential; what came of it stands under the sanctions."),
    "care.Report.handled_by": _withheld(STAFF, stays=True),
    "care.Finding.user": _withheld(FAIR_PLAY),
    "care.Finding.other": _withheld(FAIR_PLAY),
    "care.Finding.seen_by": _withheld(STAFF, stays=True),
    "care.Check.user": _withheld(FAIR_PLAY),
}  # fmt: skip
"""By the label of the model and the name of its field."""

PROFILE = (
    "username", "email", "first_name", "last_name", "is_guest", "avatar", "country", "languages", "about", "favourites", "preferences",
    "date_joined", "last_login", "named_at", "seen_at",
)  # fmt: skip
"""What is exported of the person's own row."""
PROFILE_WITHHELD = ("id", "password", "name_key", "is_superuser", "is_staff", "is_active")
"""And what is not: secrets, and what only the site reckons with."""
