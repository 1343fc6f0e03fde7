"""Files as people keep them, made byte by byte: PDF, Word, and broken ones of both."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import docx


def pdf(*pages: Sequence[str], title: str = "", encrypted: bool = False) -> bytes:
    """A PDF with lines of plain English on each page."""
    contents = [_content(lines) for lines in pages]
    return assembled_pdf(contents, title=title, encrypted=encrypted)


def assembled_pdf(contents: Sequence[bytes], *, title: str = "", encrypted: bool = False) -> bytes:
    """A PDF whose pages are drawn by these compressed streams."""
    count = len(contents)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
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
