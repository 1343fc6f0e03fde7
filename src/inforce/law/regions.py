"""Provinces and cities, whose own regulations may govern: in a text, and in a title.

The table is `data/places.txt`: a line a province, with its cities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from inforce.law.data import table

_SUFFIX = re.compile(r"(?:省|市|(?:壮族|回族|维吾尔)?自治区|特别行政区)$")


_LONGEST = 8

_BEFORE = "在于到至从回去来是住省区市本由往自离经我"
_AFTER = r"[市省的这那有，。？、]|地区|本地|当地|工作|打工|户口|落户|上班|租|买房|人(?!民)|$"


@dataclass(frozen=True, slots=True)
class Region:
    """A province, or a city of it.

    >>> str(Region("山东省", "青岛"))
    '山东省青岛'
    """

    province: str
    city: str = ""
    """Empty for the whole province."""

    def __str__(self) -> str:
        return self.province + self.city

    def governs(self, other: Region) -> bool:
        """Whether regulations of this region are in force in another."""
        return self.province == other.province and (not self.city or self.city == other.city)


def regions_in(text: str) -> tuple[Region, ...]:
    """The regions a text names, in order of appearance, each once.

    >>> [str(place) for place in regions_in("我在青岛租房，户口在河南省")]
    ['山东省青岛', '河南省']
    """
    found = (_by_name()[match[0]] for match in region_pattern().finditer(text))
    return tuple(dict.fromkeys(found))


def region_of(title: str) -> Region | None:
    """The region whose regulation a title names; ``None`` for national law.

    >>> print(region_of("深圳经济特区学前教育条例"), region_of("中华人民共和国海商法"))
    广东省深圳 None
    """
    names = (title[:size] for size in range(min(len(title), _LONGEST), 1, -1))
    return next((_by_name()[name] for name in names if name in _by_name()), None)


@cache
def _by_name() -> dict[str, Region]:
    places: dict[str, Region] = {}
    for line in table("places").splitlines():
        if line:
            province, _, cities = line.partition("\t")
            short = _SUFFIX.sub("", province)
            places |= {province: Region(province), short: Region(province)}
            places |= {city: Region(province, city) for city in cities.split() if city != short}
    return places


@cache
def region_pattern() -> re.Pattern[str]:
    """A pattern for names of regions where the words around them show that a place is meant.

    >>> region_pattern().search("大厦门口的湖南路") is None
    True
    """
    names = "|".join(re.escape(name) for name in sorted(_by_name(), key=lambda n: (-len(n), n)))
    whole = rf"(?:{names})"
    return re.compile(rf"(?:(?<![\u4e00-\u9fff])|(?<=[{_BEFORE}])){whole}|{whole}(?={_AFTER})")
