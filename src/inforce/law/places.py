"""Places whose own regulations may govern: which a text names, and which a regulation is of.

The table is `places.tsv`: a line a province, with its cities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

_SUFFIX = re.compile(r"(?:省|市|(?:壮族|回族|维吾尔)?自治区|特别行政区)$")


@dataclass(frozen=True, slots=True)
class Place:
    """A province, or a city of it.

    >>> str(Place("山东省", "青岛"))
    '山东省青岛'
    """

    province: str
    city: str = ""
    """Empty for the whole province."""

    def __str__(self) -> str:
        return self.province + self.city

    def governs(self, place: Place) -> bool:
        """Whether what this place enacts holds in that place."""
        return self.province == place.province and (not self.city or self.city == place.city)


def places_in(text: str) -> tuple[Place, ...]:
    """The places a text names, in order of appearance, each once.

    >>> [str(place) for place in places_in("我在青岛租房，户口在河南省")]
    ['山东省青岛', '河南省']
    """
    found = (_by_name()[match[0]] for match in _pattern().finditer(text))
    return tuple(dict.fromkeys(found))


def place_of(title: str) -> Place | None:
    """The place whose regulation a title names; ``None`` for national law.

    >>> print(place_of("深圳经济特区学前教育条例"), place_of("中华人民共和国海商法"))
    广东省深圳 None
    """
    match = _pattern().match(title)
    return _by_name()[match[0]] if match else None


@cache
def _by_name() -> dict[str, Place]:
    table = resources.files("inforce.law").joinpath("places.tsv").read_text(encoding="utf-8")
    places: dict[str, Place] = {}
    for line in table.splitlines():
        if line and not line.startswith("#"):
            province, _, cities = line.partition("\t")
            short = _SUFFIX.sub("", province)
            places |= {province: Place(province), short: Place(province)}
            places |= {city: Place(province, city) for city in cities.split() if city != short}
    return places


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_by_name(), key=lambda name: (-len(name), name))
    return re.compile("|".join(map(re.escape, names)))
