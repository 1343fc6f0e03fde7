"""``inforce construct briefs``: documents with known errors, in a folder."""

from __future__ import annotations

from pathlib import Path

from commands import InProcess


def test_documents_are_made_and_counted(inforce: InProcess, tmp_path: Path) -> None:
    folder = tmp_path / "briefs"
    ran = inforce("construct", "briefs", "--count", "3", "--output", str(folder))
    assert ran.status == 0 and ran.out.startswith(f"3 documents, 18 citations: {folder}")
    assert len(list(folder.glob("*.txt"))) == 3
    asked = ["construct", "briefs", "--count", "2", "--items", "4", "--share", "0"]
    none = inforce(*asked, "--output", str(folder), "--json").json
    assert none["documents"] == 2 and none["items"] == 8 and none["errors"] == {}


def test_what_was_made_can_be_verified(inforce: InProcess, tmp_path: Path) -> None:
    folder = tmp_path / "briefs"
    inforce("construct", "briefs", "--count", "2", "--share", "1", "--output", str(folder))
    assert inforce("verify", str(folder)).status == 1
