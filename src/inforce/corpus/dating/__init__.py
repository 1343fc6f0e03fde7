"""On which days each text of a law was in force: worked out from all that is held, never guessed.

A text by itself seldom says when it began and almost never when it ended. Together the texts of a
law do: the history lines of the later ones list every act, the last articles say when a text came
into force and what it repealed, registers and instruments say the rest.

* `inforce.corpus.dating.editions`: every text the law ever had, held or not, by the acts that made
  it.
* `inforce.corpus.dating.commencement`: the day an edition came into force, by the best evidence.
* `inforce.corpus.dating.validity`: the days on which each record was in force, and those for which
  the text of a known act is not held.
"""

from __future__ import annotations

from inforce.corpus.dating.commencement import Conflict
from inforce.corpus.dating.editions import Record
from inforce.corpus.dating.validity import Dating, RepealedBy, date_work

__all__ = ["Conflict", "Dating", "Record", "RepealedBy", "date_work"]
