"""`inforce serve token`: who may ask a server that others can reach."""

from __future__ import annotations

from pathlib import Path

from commands import InProcess

from inforce.serve.tokens import FILE, TokenFile


def test_a_token_is_made_listed_and_revoked(inforce: InProcess, tmp_path: Path) -> None:
    made = inforce("serve", "token", "add", "court", "--json", home=tmp_path)
    assert made.json["name"] == "court"
    assert TokenFile(tmp_path / FILE).name_of(made.json["token"]) == "court"
    listed = inforce("serve", "token", "list", home=tmp_path)
    assert listed.out.startswith("court  ")
    assert made.json["token"] not in listed.out
    assert inforce("serve", "token", "revoke", "court", home=tmp_path).status == 0
    assert inforce("serve", "token", "list", "--json", home=tmp_path).json == []


def test_a_token_that_is_not_there_cannot_be_revoked(inforce: InProcess, tmp_path: Path) -> None:
    ran = inforce("serve", "token", "revoke", "nobody", home=tmp_path)
    assert ran.status == 2
    assert "there is no token 'nobody'" in ran.err
