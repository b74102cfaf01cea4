"""Reads JSON that nobody vouches for: each value is checked for type, size, and characters that no page can show."""

from __future__ import annotations

import json
from typing import Any, Final

from games.kit.protocol import Json

LARGEST_NUMBER: Final = 1_000_000_000
LONGEST_TEXT: Final = 150
LONGEST_LIST: Final = 20
_LONGEST_QUOTE: Final = 60


class JsonFault(ValueError):
    """What is wrong with a text or a value, in a sentence for people."""


def json_values(text: str) -> list[Json]:
    """The JSON values that stand in `text` one after another, with nothing but white space between.

    Stricter than `json.loads`: no NaN, no infinity, and no field twice in one object. Raises `JsonFault`.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    values = []
    at = 0
    try:
        while at < len(text):
            if text[at].isspace():
                at += 1
            else:
                value, at = decoder.raw_decode(text, at)
                values.append(value)
    except json.JSONDecodeError as error:
        raise JsonFault(f"This is not JSON: {error.msg} in line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise JsonFault("This JSON is nested too deeply.") from None
    except JsonFault:
        raise
    except ValueError:
        raise JsonFault("This JSON holds a number that is too long.") from None
    return values


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields: dict[str, Json] = {}
    for key, value in pairs:
        if key in fields:
            raise JsonFault(f"The field {quoted(key)} stands twice in one object.")
        fields[key] = value
    return fields


def _no_constant(name: str) -> Json:
    raise JsonFault(f"{name} is not a number that JSON allows.")


def quoted(value: Any) -> str:
    """A value as a message may quote it: short, and in plain characters."""
    text = ascii(value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."


# Each of these gives the value back when it is of the kind, and raises `JsonFault` about `what` otherwise.


def as_object(value: Json, what: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise JsonFault(f"{what} must be a JSON object, not {quoted(value)}.")
    return value


def as_list(value: Json, what: str, longest: int = LONGEST_LIST) -> list[Json]:
    if not isinstance(value, list):
        raise JsonFault(f"{what} must be a list, not {quoted(value)}.")
    if len(value) > longest:
        raise JsonFault(f"{what} has more than {longest} items.")
    return value


def as_text(value: Json, what: str, longest: int = LONGEST_TEXT) -> str:
    if not isinstance(value, str):
        raise JsonFault(f"{what} must be a text, not {quoted(value)}.")
    if len(value) > longest:
        raise JsonFault(f"{what} is longer than {longest} characters.")
    if not value.isprintable():
        raise JsonFault(f"{what} holds characters that cannot be shown: {quoted(value)}.")
    return value


def as_lines(value: Json, what: str, longest: int) -> str:
    """A text that may have several lines."""
    if isinstance(value, str) and len(value) <= longest:
        for line in value.split("\n"):
            as_text(line, what, longest)
        return value
    return as_text(value, what, longest)


def as_texts(value: Json, what: str) -> tuple[str, ...]:
    return tuple(as_text(item, f"Item {number} of {what}") for number, item in enumerate(as_list(value, what), start=1))


def as_number(value: Json, what: str, lowest: int = -LARGEST_NUMBER) -> int:
    # `bool` is a kind of `int` in Python, but not in JSON.
    if not isinstance(value, int) or isinstance(value, bool):
        raise JsonFault(f"{what} must be a whole number, not {quoted(value)}.")
    if not lowest <= value <= LARGEST_NUMBER:
        raise JsonFault(f"{what} is out of range.")
    return value


def as_numbers(value: Json, what: str, lowest: int = -LARGEST_NUMBER) -> tuple[int, ...]:
    items = enumerate(as_list(value, what), start=1)
    return tuple(as_number(item, f"Item {number} of {what}", lowest) for number, item in items)
