"""The archive of a Word file, checked before anything in it is unpacked."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from inforce.documents.document import BlockKind, UnreadableCause, UnreadableDocumentError
from inforce.documents.formats import COMPOUND_FILE
from inforce.documents.limits import DocumentLimits, expansion_limit

_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_TRANSITIONAL = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_MAIN = "word/document.xml"
PART_KINDS: dict[str, BlockKind] = {
    "footnotes": "footnote",
    "endnotes": "endnote",
    "comments": "comment",
    "header": "header",
    "footer": "footer",
}
"""The parts read after the body, by the kind of their relationship."""

_UNPRINTABLE = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    r"""Return a text without the characters that XML, and so a Word file, cannot have.

    >>> printable("刑\x01法\x0b\ufffe")
    '刑法'
    """
    return _UNPRINTABLE.sub("", text)


class RelatedPart(NamedTuple):
    """A part of a Word file that is read after its body."""

    name: str
    kind: BlockKind


class WordPackage:
    """A Word file as an archive of XML parts.

    Raises:
        UnreadableDocumentError: if it is encrypted, damaged, no Word file, or could be a zip bomb.
    """

    def __init__(self, data: bytes, name: str, limits: DocumentLimits) -> None:
        self._name = name
        self._limits = limits
        if data.startswith(COMPOUND_FILE):
            reason = "encrypted, or in Word's old format: save it as .docx without a password"
            raise self._problem("encrypted", reason)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            members = self._archive.infolist()
        except Exception as error:  # zipfile lets out whatever damage makes it stumble on
            raise self._damaged(error) from error
        self._sizes = {member.filename: member.file_size for member in members}
        unpacked = sum(member.file_size for member in members)
        if len(members) > limits.archive_files:
            reason = f"{len(members):,} files in the archive; at most {limits.archive_files:,}"
            raise self._problem("too_large", reason)
        if unpacked > min(limits.unpacked, expansion_limit(len(data))):
            reason = f"unpacks from {len(data):,} to {unpacked:,} bytes: a possible zip bomb"
            raise self._problem("too_large", reason)
        if any(member.flag_bits & 1 for member in members):
            raise self._problem("encrypted", "encrypted: save a copy without a password")
        starts = [part for kind, part in self._relations("") if kind == "officeDocument"]
        self.main = starts[0] if starts else _MAIN
        if self.main not in self._sizes:
            raise self._problem("unknown_format", "a zip archive that is not a Word file")

    def tree(self, part: str) -> Any:
        """Return the XML of a part; ``None`` if there is no such part."""
        if part not in self._sizes:
            return None
        if self._sizes[part] > self._limits.part:
            reason = f"{part} unpacks to {self._sizes[part]:,} bytes: a possible zip bomb"
            raise self._problem("too_large", reason)
        etree: Any = import_module("lxml.etree")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
        )
        try:
            content = self._archive.read(part).replace(_STRICT, _TRANSITIONAL)
            root = etree.fromstring(content, parser)
        except MemoryError:
            raise
        except Exception as error:  # lxml and zipfile have no common error for a damaged file
            raise self._damaged(error) from error
        if root.getroottree().docinfo.doctype:
            reason = f"{part} declares a document type, which no Word file does: refused"
            raise self._problem("damaged", reason)
        return root

    def related_parts(self) -> Iterator[RelatedPart]:
        """Yield notes, comments, headers and footers, in this order and by name."""
        order = list(PART_KINDS)
        found = {(kind, part) for kind, part in self._relations(self.main) if kind in order}
        for kind, part in sorted(found, key=lambda one: (order.index(one[0]), len(one[1]), one[1])):
            yield RelatedPart(part, PART_KINDS[kind])

    def stated_title(self) -> str:
        """Return the title that the file's properties state."""
        core = self.tree("docProps/core.xml")
        return " ".join((core.findtext(_TITLE) or "").split()) if core is not None else ""

    def _relations(self, part: str) -> Iterator[tuple[str, str]]:
        """Yield the parts of the archive a part is related to, by kind."""
        folder, file = posixpath.split(part)
        root = self.tree(posixpath.join(folder, "_rels", f"{file}.rels"))
        for one in root.iter(_RELATION) if root is not None else ():
            if one.get("TargetMode") != "External":
                target = posixpath.join("/", folder, one.get("Target") or "")
                path = posixpath.normpath(target).lstrip("/")
                yield (one.get("Type") or "").rpartition("/")[2], path

    def _damaged(self, error: Exception) -> UnreadableDocumentError:
        return self._problem("damaged", f"a damaged Word file ({type(error).__name__})")

    def _problem(self, cause: UnreadableCause, reason: str) -> UnreadableDocumentError:
        return UnreadableDocumentError(cause, reason, path=self._name)
