"""Files as people keep them, made byte by byte: PDF, Word, and broken ones of both."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import docx


def pdf(*pages: Sequence[str], title: str = "", encrypted: bool = False) -> bytes:
    """A PDF with lines of plain English on each page."""
    contents = [_content(lines) for lines in pages]
    return assembled_pdf(contents, title=title, encrypted=encrypted)


HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def assembled_pdf(
    contents: Sequence[bytes],
    *,
    title: str = "",
    encrypted: bool = False,
    font: bytes = HELVETICA,
) -> bytes:
    """A PDF whose pages are drawn by these compressed streams."""
    count = len(contents)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        font,
    ]
    for number, content in enumerate(contents):
        stream = 5 + 2 * number
        page = (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            f"/Contents {stream} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        head = f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode()
        objects += [page.encode(), head + content + b"\nendstream"]
    objects.append(f"<< /Title ({title}) >>".encode())
    return _file(objects, encrypted=encrypted)


def _content(lines: Sequence[str]) -> bytes:
    drawn = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
    return zlib.compress(f"BT /F1 11 Tf 72 770 Td {drawn} ET".encode())


def _file(objects: Sequence[bytes], *, encrypted: bool) -> bytes:
    out, starts = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    table = "".join(f"{at:010} 00000 n \n" for at in starts)
    secret = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'1f' * 32}> /U <{'2e' * 32}> >>"
    identity = f"/ID [<{'0a' * 16}> <{'0a' * 16}>] {secret if encrypted else ''}"
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}".encode()
    out += f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R {identity} >>\n".encode()
    return out + f"startxref\n{start}\n%%EOF\n".encode()


def word(path: Path) -> None:
    """A Word file with a title, two headings, a paragraph under each, and a table."""
    document = docx.Document()
    document.add_heading("房屋租赁合同", 0)
    document.add_heading("租金", 1)
    document.add_paragraph("每月租金九百元，每月五日前支付。")
    document.add_heading("附件", 1)
    table = document.add_table(1, 2)
    table.rows[0].cells[0].text = "钥匙"
    table.rows[0].cells[1].text = "三把"
    document.save(str(path))


_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
NAMESPACES = (
    f'xmlns:w="{_WORD}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


def word_xml(body: str, parts: Mapping[str, str] | None = None, *, main: str = "document") -> bytes:
    """A .docx with this XML in its body, and parts such as ``footnotes`` with their relations."""
    extra = dict(parts or {})
    kinds = {name: name.rstrip("0123456789") for name in extra}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{_RELATIONS}{kind}" Target="{name}.xml"/>'
        for n, (name, kind) in enumerate(kinds.items())
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{_RELATIONS_TYPE}"/>'
        f'<Override PartName="/word/{main}.xml" ContentType="{_TYPE}document.main+xml"/>'
        f"{overrides}</Types>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_RELATIONS}officeDocument" Target="word/{main}.xml"/></Relationships>',
        f"word/_rels/{main}.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{relations}</Relationships>",
        f"word/{main}.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
    }
    files |= {f"word/{name}.xml": xml for name, xml in extra.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


_RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"


def run(text: str, properties: str = "") -> str:
    """A run of a Word file."""
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs: str, properties: str = "") -> str:
    """A paragraph of a Word file."""
    inner = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f"<w:p>{inner}{''.join(runs)}</w:p>"


def notes(kind: str, *texts: str) -> str:
    """The part with the footnotes, endnotes or comments of a Word file, numbered from 1."""
    each = "".join(
        f'<w:{kind} w:id="{n}">{paragraph(run(text))}</w:{kind}>' for n, text in enumerate(texts, 1)
    )
    separator = f'<w:{kind} w:id="0" w:type="separator">{paragraph(run("---"))}</w:{kind}>'
    return f"<w:{kind}s {NAMESPACES}>{separator}{each}</w:{kind}s>"


def repacked(data: bytes, *, part: str, content: bytes) -> bytes:
    """A zip archive with one part replaced or added."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name), compress_type=zipfile.ZIP_DEFLATED)
        new.writestr(part, content, compress_type=zipfile.ZIP_DEFLATED)
    return stream.getvalue()
