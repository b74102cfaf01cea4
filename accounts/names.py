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
# Drawn as Latin capitals, though the small letters are another sound or another shape.
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕЅІЈКМНОРСТУХՍՕ", "ABEZHIKMNOPTYXABESIJKMHOPCTYXUO")
_STROKES = re.compile(r"LATIN SMALL LETTER (DOTLESS )?([A-Z])( WITH .+)?")
"""How Unicode calls a letter with something through it or on it, which no decomposition takes away: “ł”, “ø”, “ı”."""
_FOLDED = str.maketrans({other: letter for letter, others in _LOOK_ALIKES.items() for other in others})
WRITING = {
    "LATIN": "Latin", "GREEK": "Greek", "CYRILLIC": "Cyrillic", "ARMENIAN": "Armenian", "GEORGIAN": "Georgian",
    "HEBREW": "Hebrew", "ARABIC": "Arabic", "DEVANAGARI": "Devanagari", "BENGALI": "Bengali", "GUJARATI": "Gujarati",
    "GURMUKHI": "Gurmukhi", "TAMIL": "Tamil", "TELUGU": "Telugu", "KANNADA": "Kannada", "MALAYALAM": "Malayalam",
    "SINHALA": "Sinhala", "THAI": "Thai", "LAO": "Lao", "KHMER": "Khmer", "MYANMAR": "Myanmar", "TIBETAN": "Tibetan",
    "ETHIOPIC": "Ethiopic", "CJK": "Han", "HIRAGANA": "Han", "KATAKANA": "Han", "KATAKANA-HIRAGANA": "Han",
    "BOPOMOFO": "Han", "HANGUL": "Han", "IDEOGRAPHIC": "Han",
}  # fmt: skip
"""The first word of a letter's name in Unicode, and the writing it belongs to; Chinese, Japanese and Korean mix theirs."""
_MIXES_WITH_LATIN = "Han"
"""People mix these with Latin letters, and none of them can be mistaken for one."""
_MORE_LATIN = "æœßþðŋə"
"""Letters of living languages that are no variants of others; what else calls itself Latin is phonetic, or small capitals."""
MOST_SIGNS = 3
"""Vowel signs, tones and the like that one letter may carry."""
_SHAPE = re.compile(r"[^\W_]+([._-][^\W_]+)*")


def normal(name: str) -> str:
    """The one spelling of a name that is stored: compatibility forms (full width, ligatures) become plain letters."""
    return unicodedata.normalize("NFKC", name).strip()


def skeleton(name: str) -> str:
    """What remains of a name when looks decide: case, accents, dots and look-alike letters do not count."""
    plain = unicodedata.normalize("NFKD", _as_latin(normal(name)).casefold())
    letters = "".join(_bare(char) for char in plain if not unicodedata.combining(char) and char not in "._-")
    return letters.translate(_FOLDED).replace("rn", "m").replace("vv", "w")


def _as_latin(name: str) -> str:
    """A name whose every letter is drawn like a Latin one is read as Latin: a Greek “ΝΙΝΑ” is NINA."""
    latin = name.translate(_CAPITALS)
    return latin if latin.translate(_FOLDED).isascii() else name


def _bare(letter: str) -> str:
    """A small letter without its stroke, hook or missing dot."""
    if letter.isascii() or (found := _STROKES.fullmatch(unicodedata.name(letter, ""))) is None:
        return letter
    return found[2].lower()


def hashed(key: str) -> str:
    """SHA-256 of a skeleton: tells that a name was had, and not which one."""
    return hashlib.sha256(key.encode()).hexdigest()


_RESERVED_SKELETONS = {skeleton(word) for word in RESERVED}


def check_name(name: str) -> None:
    """Refuse what cannot be a name. Raises `ValidationError` with a sentence for the person who chose it."""
    name = normal(name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(_("A name has 3 to 24 characters."), code="name_length")
    if not _SHAPE.fullmatch(_without_signs(name)):
        raise ValidationError(
            _("A name is made of letters and digits, with single dots, dashes or underscores between them."),
            code="name_shape",
        )

    if not _one_writing(name):
        raise ValidationError(
            _("A name is written in the letters of one alphabet, without phonetic or historic signs. Please choose another."),
            code="name_writing",
        )


def _without_signs(name: str) -> str:
    """A name without the vowel signs and the like that letters of its writing carry, as long as none are piled up."""
    kept, run = [], 0
    for char in name:
        sign = unicodedata.category(char).startswith("M") and unicodedata.name(char, "").split(" ")[0] in WRITING
        run = run + 1 if sign else 0
        if not sign or run > MOST_SIGNS:
            kept.append(char)
    return "".join(kept)


def _one_writing(name: str) -> bool:
    """Whether all letters are of one writing in use today, so that none hides among those of another."""
    found = {_writing(char) for char in name if char.isalpha()}
    return None not in found and (len(found) <= 1 or found == {"Latin", _MIXES_WITH_LATIN})


def _writing(letter: str) -> str | None:
    """The writing of a letter; `None` for one that no name needs."""
    writing = WRITING.get(unicodedata.name(letter, "").split(" ")[0])
    if writing == "Latin":
        small = unicodedata.normalize("NFD", letter.casefold())[0]
        return writing if _bare(small).isascii() or small in _MORE_LATIN else None
    return writing


def is_reserved(name: str) -> bool:
    """Whether signing up under this name could pass for the site itself, its staff or its guests."""
    return normal(name).casefold().startswith(GUEST_START) or skeleton(name) in _RESERVED_SKELETONS
