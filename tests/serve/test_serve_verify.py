"""Documents checked over HTTP and on a page: marked, downloaded with comments, and forgotten."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path

import docx
import httpx
import pytest
from live_server import client_of

from inforce import as_wire
from inforce.library import Library
from inforce.serve.answer_docx import DOCX
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import FILE, TokenFile
from inforce.serve.uploads import Upload, Uploads, file_name
from inforce.verification.explanation import KINDS
from inforce.verification.findings import FindingKind
from inforce.verification.reports import style

BRIEF = Path(__file__).parents[2] / "examples" / "brief.docx"
TEXT = "2010年6月1日，依照《刑法》第七十四条：“对于累犯和犯罪集团的首要分子，不适用缓刑。”"


@pytest.fixture(scope="module")
def client(
    sample_library: Library, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    settings = ServeSettings(home=tmp_path_factory.mktemp("verify"))
    with client_of(sample_library, settings) as client:
        yield client


def uploaded(client: httpx.Client, name: str = "brief.docx", data: bytes | None = None) -> str:
    """The address of an uploaded document."""
    body = BRIEF.read_bytes() if data is None else data
    got = client.post("/verify", files={"file": (name, body)})
    assert got.status_code == 303, got.text
    return got.headers["location"]


def test_a_document_gives_what_the_library_finds_in_it(
    client: httpx.Client, sample_library: Library
) -> None:
    got = client.post("/v1/verify", files={"file": ("brief.docx", BRIEF.read_bytes())})
    expected = as_wire(sample_library.verify(BRIEF))
    assert isinstance(expected, dict)
    assert got.json() == {**expected, "name": "brief.docx"}


def test_a_text_is_checked_for_its_days_or_for_those_given(client: httpx.Client) -> None:
    asked = {"text": TEXT}
    assert client.post("/v1/verify", json=asked).json()["outcome"] == "wrong"
    later = client.post("/v1/verify", json={**asked, "on": "2012-05-01"}).json()
    assert later["outcome"] == "right"
    wrong = client.post("/v1/verify", json={**asked, "trial": "2001", "on": "2010"})
    assert (wrong.status_code, wrong.json()["kind"]) == (400, "bad_date")


@pytest.mark.parametrize(
    ("accepted", "begins"), [(DOCX, b"PK"), ("text/html", b"<!doctype"), ("text/markdown", b"# ")]
)
def test_findings_come_in_the_form_that_is_accepted(
    client: httpx.Client, accepted: str, begins: bytes
) -> None:
    files = {"file": ("brief.docx", BRIEF.read_bytes())}
    got = client.post("/v1/verify", files=files, headers={"Accept": accepted})
    assert got.headers["content-type"].startswith(accepted)
    assert got.content.startswith(begins)


def test_a_page_shows_the_marks_and_the_word_file_has_the_comments(client: httpx.Client) -> None:
    address = uploaded(client)
    page = client.get(address, headers={"Accept-Language": "zh"}).text
    assert 'class="wrong"' in page
    assert "不是当时的法律" in page
    assert "rule:" not in page
    word = client.get(f"{address}/docx")
    assert "brief.checked.docx" in word.headers["content-disposition"]
    assert len(list(docx.Document(io.BytesIO(word.content)).comments)) > 3
    for kind in ("html", "md", "json"):
        assert client.get(f"{address}/{kind}").status_code == 200
    assert client.get(f"{address}/exe").status_code == 404


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.bin", b"\x7fELF\x00\x01"), ("a.docx", b"PK\x03\x04 no zip"), ("a.pdf", b"%PDF-1.7 no")],
)
def test_what_cannot_be_read_is_said_and_never_right(
    client: httpx.Client, name: str, data: bytes
) -> None:
    got = client.post("/v1/verify", files={"file": (name, data)})
    assert got.status_code == 400
    assert name in got.json()["detail"]
    page = client.get(uploaded(client, name, data), headers={"Accept-Language": "en"})
    assert page.status_code == 422
    assert "was not read" in page.text


def test_what_a_document_says_is_text_and_never_markup(client: httpx.Client) -> None:
    hostile = f"<script>alert(1)</script><img src=x onerror=alert(2)>\n\n{TEXT}".encode()
    for name in ("<svg onload=alert(3)>.md", "a.txt"):
        page = client.get(uploaded(client, name, hostile)).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<svg onload" not in page


def test_a_date_beside_a_document_is_read_whatever_the_document_holds(client: httpx.Client) -> None:
    for field in ("on", "trial"):
        for day in ("2010-13-01", "2010-06-01" + " " * 60 + "x"):
            files = {"file": ("empty.txt", b"")}
            got = client.post("/v1/verify", files=files, data={field: day})
            assert (got.status_code, got.json()["kind"]) == (400, "bad_date")


def test_a_text_without_citations_is_not_called_right(client: httpx.Client) -> None:
    address = uploaded(client, "weather.txt", "天气很好。".encode())
    page = client.get(address, headers={"Accept-Language": "zh"}).text
    assert "没有核对任何内容" in page
    assert "已核对的内容全部正确" not in page


def test_a_form_with_nothing_in_it_is_refused(client: httpx.Client) -> None:
    empty = {"file": ("", b"")}
    assert client.post("/verify", files=empty, data={"on": "2010"}).status_code == 400
    assert client.post("/v1/verify", files=empty).json()["kind"] == "usage"
    assert client.post("/verify", files={"file": ("a.txt", b"")}).status_code == 303


def test_a_document_is_deleted_when_it_is_asked_for(client: httpx.Client) -> None:
    address = uploaded(client)
    assert client.post(f"{address}/forget").status_code == 303
    assert client.get(address).status_code == 404


def test_others_see_nothing_of_a_document(sample_library: Library, tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / FILE)
    mine, theirs = ({"Authorization": f"Bearer {tokens.add(name)}"} for name in ("mine", "theirs"))
    with client_of(sample_library, ServeSettings(home=tmp_path, auth="token")) as client:
        client.headers.update(mine)
        address = uploaded(client)
        assert client.get(address).status_code == 200
        for ending in ("", "/docx", "/json"):
            assert client.get(address + ending, headers=theirs).status_code == 404
        assert client.post(f"{address}/forget", headers=theirs).status_code == 404
        assert client.get(address).status_code == 200


def test_documents_are_private_files_that_go_after_an_hour(tmp_path: Path) -> None:
    now = [time.time()]
    uploads = Uploads(tmp_path / "uploads", now=lambda: now[0])
    first = uploads.put("a", Upload("brief.docx", b"1"))
    [folder] = (tmp_path / "uploads").glob("*/*")
    assert folder.stat().st_mode & 0o077 == 0
    assert uploads.get("a", first).data == b"1"
    now[0] += 3601
    with pytest.raises(Exception, match="any more"):
        uploads.get("a", first)
    now[0] -= 3601
    for count in range(12):
        uploads.put("a", Upload(f"{count}.txt", b"2"))
    assert len(list((tmp_path / "uploads").glob("*/*"))) == 10
    uploads.empty()
    assert not (tmp_path / "uploads").exists()


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "x" * 22 + "/..", "A" * 23])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "tokens.json").write_text("[]")
    with pytest.raises(Exception, match="any more"):
        Uploads(tmp_path / "uploads").get("a", name)
    assert file_name("../../etc/passwd") == "passwd"
    assert file_name("C:\\x\\a\u202ecod.exe\n") == "acod.exe"
    assert file_name("") == "document"


def test_a_document_may_be_larger_than_other_requests_and_not_too_large(
    sample_library: Library, tmp_path: Path
) -> None:
    settings = ServeSettings(home=tmp_path, max_body=1000, max_upload=100_000)
    with client_of(sample_library, settings) as client:
        long = TEXT.encode() * 100
        files = {"file": ("a.txt", long)}
        assert client.post("/v1/verify", files=files).status_code == 200
        assert client.post("/v1/ask", json={"question": "x" * 2000}).status_code == 413
        assert client.post("/v1/verify", files={"file": ("a.txt", long * 20)}).status_code == 413


def test_a_body_that_drips_is_given_up(sample_library: Library, tmp_path: Path) -> None:
    settings = ServeSettings(home=tmp_path, max_seconds=0.3, max_body=1000)

    def dripping() -> Iterator[bytes]:
        for _ in range(10):
            yield b" "
            time.sleep(0.1)

    with client_of(sample_library, settings) as client:
        began = time.monotonic()
        headers = {"Content-Type": "application/json"}
        got = client.post("/v1/ask", content=dripping(), headers=headers)
        assert got.status_code == 408
        assert time.monotonic() - began < 5


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_finding_can_be_hidden(kind: FindingKind) -> None:
    assert f"#show-{kind}:not(:checked)) section.is-{kind}" in style()
