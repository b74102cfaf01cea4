"""What is in a small picture of a board."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree


def shapes(picture: str) -> Counter[str]:
    """How many shapes its paths draw in each fill."""
    found: Counter[str] = Counter()
    for path in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}path"):
        found[path.attrib["fill"]] += path.attrib["d"].count("M")
    return found
