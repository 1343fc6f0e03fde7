"""``inforce history LAW ARTICLE``: every wording an article ever had."""

from __future__ import annotations

from inforce.cli.at import Article, Law
from inforce.cli.links import show_links
from inforce.cli.output import (
    EXIT_STATUS,
    Json,
    cited,
    console,
    print_json,
    span_line,
    user_library,
)
from inforce.dates import ALWAYS
from inforce.law.caveats import span_caveats
from inforce.lawbook import Descent, History


def history(law: Law, article: Article, as_json: Json = False) -> int:
    """Every wording of an article: its days in force, what changed it, and where it went."""
    with user_library() as library:
        result = library.history(law, article)
    if as_json:
        print_json(result)
    else:
        show(result)
    return EXIT_STATUS[result.timeline.versions_in(ALWAYS).answer]


def show(result: History) -> None:
    """Print a history."""
    out, timeline = console(), result.timeline
    out.print(cited(timeline.work, timeline.number.chinese), style="bold")
    for span in timeline.spans:
        out.print(span_line(span), style="cyan" if span.provision else "dim")
        if span.provision:
            out.print(f"{span.provision.text}\n")
            for sentence in span_caveats(span):
                out.print(f"note: {sentence}", style="yellow")
    for caption in result.captions:
        out.print(
            f"known as {caption.name}, {caption.window} ({caption.authority}; editorial)",
            style="dim",
        )
    show_links(result.links)
    for descent in result.descent:
        out.print(f"same rule under other numbers: {_steps(descent)}", style="yellow")
    for aside in timeline.set_aside:
        label = aside.claim.version.label or "a text without a date"
        source = aside.claim.version.source.name
        out.print(f"set aside: {label} from {source} ({aside.reason})", style="dim")


def _steps(descent: Descent) -> str:
    """``第四十六条 (1997-01-01) → 第五十三条 (2013-01-01, 0.86)``."""
    numbers = descent.lineage.numbers
    steps = [f"{numbers[0].chinese} ({descent.days[0]})"]
    following = zip(numbers[1:], descent.days[1:], descent.lineage.links, strict=True)
    steps += [f"{number.chinese} ({day}, {link.score:.2f})" for number, day, link in following]
    return " → ".join(steps)


command = history
