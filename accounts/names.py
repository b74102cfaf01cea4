"""What people may be called: the rules for a user name, and when two names look too much alike."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 3, 24
GUEST_START = "guest-"
"""How the rows of guests are called; nobody else may start like that."""
RESERVED = (
    "admin", "administrator", "anonymous", "bot", "bots", "computer", "gone", "guest", "help", "mod", "moderator",
    "moderators", "nobody", "official", "owner", "player", "root", "staff", "support", "system", "team", "tessera", "you",
)  # fmt: skip
"""Names that would pass for the site, for those who keep it, or for nobody in particular."""

# Drawn alike in most typefaces, in lower case; the key stands for all of them.
_LOOK_ALIKES = {
    "a": "аɑα4@", "b": "вьβ8", "c": "сϲ", "d": "ԁ", "e": "еєε3", "g": "ɡ", "h": "һн", "i": "іιıӏl1|!", "j": "ј",
    "k": "кκ", "m": "мϻ", "n": "пηո", "o": "оοσо0", "p": "рρ", "r": "г", "s": "ѕ5$", "t": "тτ", "u": "υս", "v": "ѵν",
    "w": "ԝѡω", "x": "хχ×", "y": "уγүʏ", "z": "2",
}  # fmt: skip
_FOLDED = str.maketrans({other: letter for letter, others in _LOOK_ALIKES.items() for other in others})
_SHAPE = re.compile(r"[^\W_]+([._-][^\W_]+)*")


def normal(name: str) -> str:
    """The one spelling of a name that is stored: compatibility forms (full width, ligatures) become plain letters."""
    return unicodedata.normalize("NFKC", name).strip()


def skeleton(name: str) -> str:
    """What remains of a name when looks decide: case, accents, dots and look-alike letters do not count."""
    plain = unicodedata.normalize("NFKD", normal(name).casefold())
    letters = "".join(char for char in plain if not unicodedata.combining(char) and char not in "._-")
    return letters.translate(_FOLDED).replace("rn", "m").replace("vv", "w")


def hashed(key: str) -> str:
    """SHA-256 of a skeleton: tells that a name was had, and not which one."""
    return hashlib.sha256(key.encode()).hexdigest()


_RESERVED_SKELETONS = {skeleton(word) for word in RESERVED}


def check_name(name: str) -> None:
    """Refuse what cannot be a name. Raises `ValidationError` with a sentence for the person who chose it."""
    name = normal(name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(_("A name has 3 to 24 characters."), code="name_length")
    if not _SHAPE.fullmatch(name):
        raise ValidationError(
            _("A name is made of letters and digits, with single dots, dashes or underscores between them."),
            code="name_shape",
        )


def is_reserved(name: str) -> bool:
    """Whether signing up under this name could pass for the site itself, its staff or its guests."""
    return normal(name).casefold().startswith(GUEST_START) or skeleton(name) in _RESERVED_SKELETONS
