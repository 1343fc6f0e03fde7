"""Which terms get a vector, and where the vectors of words that no law has begin."""

from __future__ import annotations

import numpy as np

from search_training.encoder import PairData, QuestionData, learn_questions
from search_training.term_vectors import TermVectors, Vocabulary

LAWS = [["犯罪", "刑罚"]] * 6 + [["合同", "履行"]] * 6 + [["罕见"]]
QUESTIONS = [["坐牢", "犯罪"]] * 5 + [["打官司", "合同"]] * 5 + [["咋办"]] * 2


def test_the_words_of_several_questions_come_before_the_common_words_of_statutes() -> None:
    vocabulary = Vocabulary(LAWS, QUESTIONS, size=5)
    assert set(vocabulary.terms[:4]) == {"犯罪", "合同", "坐牢", "打官司"}
    assert len(vocabulary) == 5


def test_a_term_of_few_texts_has_no_vector() -> None:
    vocabulary = Vocabulary(LAWS, QUESTIONS, size=50)
    assert not {"罕见", "咋办"} & set(vocabulary.terms)


def test_a_word_that_only_questions_have_is_learned_from_the_provisions_that_answer_them() -> None:
    vocabulary = Vocabulary(LAWS, QUESTIONS, size=50)
    passages = vocabulary.bags([["犯罪", "刑罚"], ["合同", "履行"]])
    draw = np.random.default_rng(0)
    vectors = draw.standard_normal((len(vocabulary), 8)).astype(np.float32)
    met = np.asarray(passages.sum(axis=0)).ravel() > 0
    vectors[~met] = 0
    gains = np.zeros(len(vocabulary), dtype=np.float32)
    rows = np.arange(2)
    data = PairData(vocabulary, passages, passages, rows, rows, {"heading": rows})
    asked = QuestionData(
        vocabulary.bags(QUESTIONS[:10]), (((0,),),) * 5 + (((1,),),) * 5, ((1,),) * 5 + ((0,),) * 5
    )
    start = TermVectors(vectors, gains, gains)
    learnt = learn_questions(start, data, asked, range(10), seed=0, steps=20)
    questions = learnt.queries(vocabulary.bags([["坐牢"], ["打官司"]]))
    assert (questions @ learnt.passages(passages).T).argmax(axis=1).tolist() == [0, 1]
