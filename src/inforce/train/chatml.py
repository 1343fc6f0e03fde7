"""Conversations as tokens in the format of ChatML: every turn between two special tokens.

The vocabulary is trained on texts (byte-level BPE; digits stay single, so that article numbers are
read digit by digit), or is that of a pretrained model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from inforce.errors import InputError

START, END, PADDING = "<|im_start|>", "<|im_end|>", "<|endoftext|>"
POLICY = "assistant"
"""The role of the policy."""

FILE = "tokenizer.json"

Pieces = Literal["words", "signs"]
"""The largest unit that is one token. ``words``: frequent words of any script; digits stay single.
``signs``: a Chinese character or bracket, a digit, or the year, month or day of a date (2010, 06,
01), so that there are fewer tokens to copy and 《 is the same token whatever it follows."""

_UNITS: dict[Pieces, str] = {
    "words": r"\p{N}",
    "signs": r"\p{N}{4}(?=-)|(?<=-)\p{N}{2}(?!\p{N})|\p{N}|\p{Han}|[《》（），]",
}

# Trained on as well, so that a role is one token.
_ROLES = ("system\n", "user\n", "tool\n", "assistant\n")


class ChatMl:
    """A vocabulary with ChatML's special tokens; implements `inforce.train.episodes.ChatFormat`.

    A special token that occurs in a text is encoded as ordinary characters: nobody can end or begin
    a turn by writing it.
    """

    def __init__(self, vocabulary: Tokenizer, *, path: Path | str = FILE) -> None:
        vocabulary.encode_special_tokens = True
        vocabulary.no_padding()
        vocabulary.no_truncation()
        self._vocabulary = vocabulary
        self._start = _special(vocabulary, START, path)
        self.end = _special(vocabulary, END, path)
        """The token by which the policy ends its turn."""
        self.padding = _special(vocabulary, PADDING, path)
        self._newline = tuple(self.encode("\n"))

    @property
    def size(self) -> int:
        """Size of the vocabulary."""
        return self._vocabulary.get_vocab_size()

    @classmethod
    def trained(cls, texts: Iterable[str], *, size: int = 600, pieces: Pieces = "words") -> ChatMl:
        """Train a vocabulary of at most ``size`` tokens for texts like these, in any script."""
        vocabulary = Tokenizer(models.BPE())
        vocabulary.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(_UNITS[pieces]), behavior="isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False),
            ]
        )
        vocabulary.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=[PADDING, START, END],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        vocabulary.train_from_iterator([*texts, *_ROLES], trainer)
        return cls(vocabulary)

    @classmethod
    def load(cls, folder: Path) -> ChatMl:
        """Load the vocabulary of a model from a folder (its ``tokenizer.json``).

        Raises:
            InputError: if there is none, it cannot be read, or it lacks ChatML's special tokens.
        """
        path = folder / FILE
        if not path.is_file():
            raise InputError(f"there is no {FILE}: a fast tokenizer is needed", path=folder)
        try:
            vocabulary = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing more specific
            raise InputError(f"not a vocabulary: {error}", path=path) from error
        return cls(vocabulary, path=path)

    def save(self, folder: Path) -> None:
        """Store the vocabulary beside a model, for `load`."""
        folder.mkdir(parents=True, exist_ok=True)
        self._vocabulary.save(str(folder / FILE))

    def encode(self, text: str) -> list[int]:
        """Tokenize a text by itself."""
        return self._vocabulary.encode(text, add_special_tokens=False).ids

    def decode(self, tokens: Sequence[int]) -> str:
        """Return a turn as text without its end; other special tokens it contains are shown."""
        ended = bool(tokens) and tokens[-1] == self.end
        turn = tokens[:-1] if ended else tokens
        return self._vocabulary.decode(list(turn), skip_special_tokens=False)

    def prompt(self, turns: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """Tokenize turns (role, text), and the beginning of the policy's own turn."""
        before = [token for role, text in turns for token in self._turn(role, text)]
        return (*before, self._start, *self.encode(f"{POLICY}\n"))

    def observation(self, turns: Sequence[tuple[str, str]], *, ended: bool) -> tuple[int, ...]:
        """Tokenize what is between two turns of the policy: the environment's turns, framed."""
        rest = self._newline if ended else (self.end, *self._newline)
        return (*rest, *self.prompt(turns))

    def _turn(self, role: str, text: str) -> list[int]:
        return [self._start, *self.encode(f"{role}\n{text}"), self.end, *self._newline]


def _special(vocabulary: Tokenizer, token: str, path: Path | str) -> int:
    number = vocabulary.token_to_id(token)
    if number is None:
        raise InputError(f"the vocabulary has no {token}: not a model for ChatML", path=path)
    return number
