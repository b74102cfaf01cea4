"""The shape of the repository that the tools and the next game rely on."""

import re
from pathlib import Path

import games
from games import registry
from stack.places import ROOT

PLATFORM = ("accounts", "site", "static", "templates")
TEXT = {".css", ".html", ".js", ".py", ".txt"}


def test_site_is_no_package() -> None:
    """With an `__init__.py`, `site.config` could not be imported, since the standard library's `site` is loaded first;
    and where that module is not frozen, our folder would hide it, and with it the packages of the virtual environment."""
    assert not (ROOT / "site" / "__init__.py").exists()


def test_the_platform_names_no_game() -> None:
    """A new game is one folder in `games/` and one word in its `KEYS`; so nothing outside may know one."""
    names = {name.lower() for key in games.KEYS for name in (key, registry.get(key).name)}
    word = re.compile(rf"\b({'|'.join(map(re.escape, sorted(names)))})\b", re.IGNORECASE)
    sources = [path for folder in PLATFORM for path in (ROOT / folder).rglob("*") if path.suffix in TEXT and "vendor" not in path.parts]
    assert len(sources) > 50
    assert [named for path in sources if (named := _lines_naming(path, word))] == []


def _lines_naming(path: Path, word: re.Pattern[str]) -> list[str]:
    lines = path.read_text().splitlines()
    return [f"{path.relative_to(ROOT)}:{number}: {line.strip()}" for number, line in enumerate(lines, 1) if word.search(line)]
