"""What CSV files state or show of themselves: their encoding, and what divides their columns."""

import codecs
import re
from typing import BinaryIO

ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "latin-1": "Latin-1",
    "cp1252": "Windows-1252",
}
"""Their names, by those of Python."""
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_BLOCK = 1 << 20  # bytes that are in memory at once


def encoding_of(file: BinaryIO) -> str | None:
    """The encoding of a text file, by Python's name; None where it is not text in any of them.

    It is that of its mark, or the only one in which all of it can be read.
    """
    start = file.read(3)
    marked = next((code for mark, code in _MARKS.items() if start.startswith(mark)), "")
    for encoding in [marked] if marked else ["utf-8", "latin-1", "cp1252"]:
        file.seek(0)
        if _readable(file, encoding):
            file.seek(0)
            return encoding
    return None


def stated_separator(text: str) -> tuple[int, str | None]:
    """How many lines come before the header, and the separator that they state, as in "sep=;"."""
    first = re.match(r"sep=([,;\t])\r?\n", text)
    return (1, first[1]) if first else (0, None)


def _readable(file: BinaryIO, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        while block := file.read(_BLOCK):
            if encoding == "utf-16":
                if "\0" in decoder.decode(block):
                    return False
            elif b"\0" in block:
                return False
            elif encoding == "latin-1":  # whose other bytes are no letters
                if re.search(rb"[\x80-\x9f]", block):
                    return False
            elif not (block.isascii() and not decoder.getstate()[0]):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
