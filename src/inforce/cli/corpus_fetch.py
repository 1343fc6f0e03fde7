"""``inforce corpus fetch|update|lookups``: laws from their public sources, and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.adding import Added, Index, Starter, add_texts, show_added
from inforce.cli.output import (
    Json,
    clock,
    console,
    counted,
    localize,
    print_json,
    print_line,
    progress_bar,
    user_library,
)
from inforce.corpus import home
from inforce.errors import UserError

if TYPE_CHECKING:
    from inforce.feeds.catalogue import Choice
    from inforce.feeds.fetching import FeedFolder, Plan
    from inforce.feeds.lookups import Affected, Lookups

Only = Annotated[
    list[str] | None,
    typer.Option("--only", help="A law by its title or short name; may be given several times."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Ask what is there, fetch no text, add nothing.")
]


@dataclass(frozen=True, slots=True)
class Updated:
    """The result of updating the sources, and the look-ups it concerns."""

    sources: tuple[str, ...]
    added: Added
    affected: tuple[Affected, ...]
    remembers: bool
    """Whether look-ups are recorded at all."""


def fetch(
    source: Annotated[str, typer.Argument(help="just-laws, lawrefbook or flk.")],
    only: Only = None,
    address: Annotated[
        str, typer.Option("--from", help="A mirror of the source: a URL or a path.")
    ] = "",
    dry_run: DryRun = False,
    starter: Starter = True,
    index: Index = True,
    as_json: Json = False,
) -> int:
    """Fetch laws from a public source and add them; an interrupted fetch goes on where it was."""
    from inforce.feeds.catalogue import Choice, feed_named
    from inforce.feeds.fetching import FeedFolder

    feed = feed_named(source)
    choice = Choice(feed, address or feed.address, tuple(only or ()))
    if dry_run:
        return _show_plans([choice], as_json=as_json)
    folder = FeedFolder(home.home(), choice)  # refuses what cannot be fetched, before it is shown
    if not as_json:
        print_line(f"{feed.name}: {localize(feed.holds)}")
        print_line(f"source: {choice.address}")
        print_line(f"licence: {feed.licence}")
    _fetch(folder)
    added = _add([choice], starter=starter, index=index)
    if as_json:
        print_json(added)
    else:
        show_added(added)
    return added.exit_status


def update(dry_run: DryRun = False, as_json: Json = False) -> int:
    """Fetch what changed in every source fetched before; say which look-ups it concerns."""
    from inforce.feeds.fetching import FeedFolder, fetched_before
    from inforce.feeds.lookups import Lookups

    known = list(fetched_before(home.home()))
    if not known:
        raise UserError("nothing was fetched yet: inforce corpus fetch just-laws")
    choices = [last.choice for last in known]
    if dry_run:
        return _show_plans(choices, as_json=as_json)
    for choice, finished in known:
        folder = FeedFolder(home.home(), choice)
        if not as_json and finished:
            print_line(f"{choice.feed.name}: last fetched {finished}")
        elif not as_json:
            print_line(f"{choice.feed.name}: the last fetch was not finished; going on with it")
        _fetch(folder)
    added = _add(choices, starter=True, index=True)
    lookups = Lookups(home.home())
    with user_library() as library:
        affected = tuple(lookups.affected(library))
    names = tuple(choice.feed.name for choice in choices)
    updated = Updated(names, added, affected, lookups.enabled)
    if as_json:
        print_json(updated)
    else:
        _show_updated(updated)
    return added.exit_status


def lookups(
    on: Annotated[
        bool | None,
        typer.Option("--on/--off", help="Record look-ups from now on; or delete them and stop."),
    ] = None,
    as_json: Json = False,
) -> int:
    """What you looked up, if you want it recorded, and what of it reads otherwise now."""
    from inforce.feeds.lookups import Lookups

    recorded = Lookups(home.home())
    if on is not None:
        (recorded.enable if on else recorded.forget)()
    with user_library() as library:
        affected = tuple(recorded.affected(library))
    if as_json:
        entries = recorded.entries()
        print_json({"recorded": recorded.enabled, "lookups": entries, "affected": affected})
    else:
        _show_lookups(recorded, affected)
    return 0


def _fetch(folder: FeedFolder) -> None:
    with progress_bar(f"fetching {folder.choice.feed.name}") as advance:
        folder.fetch(today=clock()(), progress=advance)


def _add(choices: Sequence[Choice], *, starter: bool, index: bool) -> Added:
    from inforce.feeds.fetching import FeedFolder

    folders = [FeedFolder(home.home(), choice) for choice in choices]
    return add_texts(
        lambda on_problem: (
            text for folder in folders for text in folder.texts(on_problem=on_problem)
        ),
        starter=starter,
        index=index,
    )


def _show_plans(choices: Sequence[Choice], *, as_json: bool) -> int:
    from inforce.feeds.fetching import FeedFolder

    plans = [FeedFolder(home.home(), choice).plan() for choice in choices]
    if as_json:
        print_json(plans)
        return 0
    for plan in plans:
        _show_plan(plan)
    return 0


def _show_plan(plan: Plan) -> None:
    out = console()
    out.print(f"{plan.feed}: {plan.address}", style="bold")
    out.print(f"licence: {plan.licence}")
    out.print(f"pace: {plan.pace}")
    out.print(f"held: {plan.held}")
    out.print(f"there: {plan.there}")
    if plan.requests is not None:
        minutes = max(1, round(plan.requests / 60)) if plan.requests else 0
        times = f"{counted(plan.requests, 'time')}, about {counted(minutes, 'minute')}"
        out.print(f"would ask at least {times}; earlier texts are named with each text")
    out.print("nothing was fetched")


def _show_updated(updated: Updated) -> None:
    out = console()
    show_added(updated.added)
    titles = updated.added.report.touched
    if titles and not updated.added.starter:
        out.print(f"changed: {'、'.join(titles[:20])}" + (" …" if len(titles) > 20 else ""))
    for one in updated.affected:
        _show_affected(one)
    if not updated.remembers:
        out.print("look-ups are not recorded: inforce corpus lookups --on", style="dim")
    elif not updated.affected:
        out.print("nothing you looked up reads otherwise now")


def _show_lookups(recorded: Lookups, affected: Sequence[Affected]) -> None:
    out = console()
    if not recorded.enabled:
        out.print("look-ups are not recorded: inforce corpus lookups --on")
        return
    out.print(f"look-ups are recorded in {recorded.path}, which only you may read")
    changed = {one.lookup: one for one in affected}
    for entry in recorded.entries():
        if entry in changed:
            _show_affected(changed[entry])
        else:
            out.print(f"{entry.work} {entry.number}, {_days(entry.on)}: as it was shown")


def _show_affected(one: Affected) -> None:
    entry = one.lookup
    where = f"{entry.work} {entry.number}, {_days(entry.on)}"
    console().print(f"you looked up {where}, on {entry.asked}: {one.what}", style="yellow")


def _days(on: tuple[date, date] | None) -> str:
    if on is None:
        return "the law of today"
    first, last = on
    return f"the law of {first}" if first == last else f"the law of {first} to {last}"
