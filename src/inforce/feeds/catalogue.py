"""The public sources of law texts that can be fetched by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from inforce.errors import UserError

FeedName = Literal["just-laws", "lawrefbook", "flk"]

STATUTES = "the texts are outside copyright (PRC Copyright Law art. 5)"


@dataclass(frozen=True, slots=True)
class Feed:
    """A public source of law texts."""

    name: FeedName
    publisher: str
    """The source that its texts name."""
    address: str
    kind: Literal["history", "newest state", "register"]
    """A git repository read with all its commits, one of which the newest state is read, or the
    national register of laws."""
    holds: str
    licence: str
    pace: str
    """For people: the manner of its requests, and how long they take."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A source, the address to fetch it from, and the laws wanted of it."""

    feed: Feed
    address: str
    only: tuple[str, ...] = ()
    """Titles or short names of laws; empty for all."""

    def plan(self, *, held: str, there: str, requests: int | None = None) -> Plan:
        """The plan of a fetch, once what is held was compared with what is there."""
        feed = self.feed
        return Plan(feed.name, self.address, feed.licence, feed.pace, held, there, requests)


@dataclass(frozen=True, slots=True)
class Plan:
    """A fetch that was not made: the state of a source in the data folder, and there now."""

    feed: str
    address: str
    licence: str
    pace: str
    held: str
    """A commit and its day, or a number of texts; or nothing."""
    there: str
    """A commit, or a number of texts."""
    requests: int | None
    """The least number of requests a fetch would send to the register, as earlier texts are named
    only with the text that took their place; ``None`` for a repository."""


_GIT = "git, over https; resumes after the last step that was finished"

FEEDS: Mapping[FeedName, Feed] = MappingProxyType(
    {
        "just-laws": Feed(
            "just-laws",
            "ImCa0/just-laws",
            "https://github.com/ImCa0/just-laws.git",
            "history",
            "the national laws in force, with their earlier texts since 2022",
            f"MIT for the collection; {STATUTES}",
            f"{_GIT}; about a minute",
        ),
        "lawrefbook": Feed(
            "lawrefbook",
            "LawRefBook/Laws",
            "https://github.com/LawRefBook/Laws.git",
            "newest state",
            "national laws, regulations and interpretations, and local regulations",
            f"the collection states no licence; {STATUTES}",
            f"{_GIT}; some minutes",
        ),
        "flk": Feed(
            "flk",
            "国家法律法规数据库",
            "https://flk.npc.gov.cn",
            "register",
            "the official register: laws, regulations and interpretations with their versions",
            f"its terms of use are those of the site; {STATUTES}",
            "robots.txt is followed, one request a second, three requests a text: hours for all, "
            "seconds with --only; resumes after the last text that was stored",
        ),
    }
)


def feed_named(name: str) -> Feed:
    """The source of this name.

    Raises:
        UserError: if there is none; names those there are.
    """
    for known in get_args(FeedName):
        if name == known:
            return FEEDS[known]
    raise UserError(f"no source of laws called {name!r}: use {', '.join(FEEDS)}")
