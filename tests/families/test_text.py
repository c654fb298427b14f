"""Bags of words against scikit-learn, dense sums, and refits without the row."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.naive_bayes import ComplementNB, MultinomialNB

from likely.core.block import Block
from likely.core.schema import BAG_MODELS, Column, Schema, Text
from likely.core.tokens import Bag, encode_texts, tokens, vocabulary
from likely.errors import NotLearntError
from likely.families.draws import Draws
from likely.families.predictor import Evidence, Setting
from likely.families.text import BagOfWords
from likely.statistics import Totals, answer


def table(dense, cells=None, weights=None):
    bag = sparse.csr_array(np.asarray(dense, dtype=float))
    rows = bag.shape[0]
    first = Bag(np.zeros(rows + 1, np.int64), np.zeros(0, np.int32), np.zeros(0))  # another text column comes first
    bags = (first, Bag(bag.indptr.astype(np.int64), bag.indices.astype(np.int32), bag.data))
    cells = None if cells is None else np.asarray(cells, np.int32)
    return Block(rows, np.zeros((rows, 0), np.uint8), np.zeros((rows, 0)), bags, cells, weights)


def schema_for(words, classes, bag="multinomial", wide=False):
    levels = tuple(f"w{at}" for at in range(words))
    columns = (Column("title", "text"), Column("text", "text", levels, form=Text(bag), wide=wide))
    return Schema(columns, Column("y", "category", tuple(range(classes))))


def learn(schema, block, setting):
    family = BagOfWords()
    answers = {question: answer(question, schema, block) for question in family.questions((1,))}
    rows = np.bincount(block.cells, block.weights, len(schema.classes))
    return family.predictor(Evidence(schema, (1,), answers, rows, setting))


def documents(rows=60, words=40, classes=3, seed=0):
    random = np.random.default_rng(seed)
    dense = random.poisson(random.gamma(0.5, 1.0, words), (rows, words))
    return dense, np.arange(rows) % classes


@pytest.mark.parametrize("bag", BAG_MODELS)
@pytest.mark.parametrize("smoothing", [1.0, 0.1, 7.5])
@pytest.mark.parametrize("estimate", ["bayes", "map"])
@pytest.mark.parametrize("classes", [2, 3, 4, 10])
@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn(bag, smoothing, estimate, classes, weighted):
    dense, cells = documents(classes=classes)
    weights = np.random.default_rng(1).uniform(0.1, 3, len(cells)) if weighted else None
    block = table(dense, cells, weights)
    predictor = learn(schema_for(40, classes, bag), block, Setting(estimate, smoothing))
    oracle = (MultinomialNB if bag == "multinomial" else ComplementNB)(alpha=smoothing)
    oracle.fit(dense, cells, sample_weight=weights)
    words = predictor.terms(table(np.eye(40)))
    assert words.shape == (40, 1, classes)
    np.testing.assert_allclose(words[:, 0], oracle.feature_log_prob_.T, rtol=0, atol=1e-9)
    out = np.ones((60, classes))
    predictor.add(block, out)
    np.testing.assert_allclose(out, 1 + dense @ oracle.feature_log_prob_.T, rtol=1e-9)


def test_one_class_has_no_complement():
    dense, _ = documents()
    block = table(dense, np.zeros(60))
    plain, other = (learn(schema_for(40, 1, bag), block, Setting()) for bag in BAG_MODELS)
    np.testing.assert_array_equal(plain.terms(block), other.terms(block))
    np.testing.assert_array_equal(plain.without(block), other.without(block))


def test_maximum_likelihood_rules_words_out():
    block = table([[2, 1, 0], [0, 0, 4]], [0, 1])
    predictor = learn(schema_for(3, 3), block, Setting("mle"))
    with np.errstate(divide="ignore"):
        want = np.log([[2 / 3, 0, 1 / 3], [1 / 3, 0, 1 / 3], [0, 1, 1 / 3]])  # the last class never had a word
    np.testing.assert_allclose(predictor.terms(table(np.eye(3)))[:, 0], want, rtol=1e-12)
    # a sparse row may say in so many words that a word occurs zero times
    zeros = Bag(np.array([0, 2]), np.array([0, 2], np.int32), np.array([1.0, 0.0]))
    block = Block(1, np.zeros((1, 0)), np.zeros((1, 0)), (zeros, zeros))
    np.testing.assert_allclose(predictor.terms(block)[0, 0], want[0], rtol=1e-12)


def test_complement_is_finite_without_pseudo_counts():
    block = table([[2, 1, 0], [0, 0, 4]], [0, 1])
    one = learn(schema_for(3, 2, "complement"), block, Setting("bayes", 1.0)).terms(block)
    np.testing.assert_array_equal(learn(schema_for(3, 2, "complement"), block, Setting("bayes", 0.0)).terms(block), one)
    np.testing.assert_array_equal(learn(schema_for(3, 2, "complement"), block, Setting("mle")).terms(block), one)


@pytest.mark.parametrize("bag", BAG_MODELS)
def test_learning_leaves_the_statistic_alone(bag):
    dense, cells = documents(classes=4)
    schema, block = schema_for(40, 4, bag), table(dense, cells)
    (question,) = BagOfWords().questions((1,))
    totals = answer(question, schema, block)
    kept = totals.table.copy()
    predictor = BagOfWords().predictor(Evidence(schema, (1,), {question: totals}, totals.rows, Setting()))
    predictor.terms(block)
    predictor.without(block)
    np.testing.assert_array_equal(totals.table, kept)
    # whole counts that were read back from a file
    stored = Totals(totals.rows, np.ascontiguousarray(kept.astype(np.int64)))
    again = BagOfWords().predictor(Evidence(schema, (1,), {question: stored}, totals.rows, Setting()))
    np.testing.assert_array_equal(again.terms(block), predictor.terms(block))
    np.testing.assert_array_equal(again.without(block), predictor.without(block))


@pytest.mark.parametrize("bag", BAG_MODELS)
@pytest.mark.parametrize("setting", [Setting(), Setting("map", 0.3), Setting("mle")])
@pytest.mark.parametrize("weighted", [False, True])
def test_leaving_one_out_is_a_refit(bag, setting, weighted):
    dense, cells = documents(rows=40)
    cells[-1] = 3  # alone in its class; class 4 never occurs
    dense[5] = 0  # no words
    weights = np.random.default_rng(2).uniform(0.1, 3, len(cells)) if weighted else None
    schema, block = schema_for(40, 5, bag), table(dense, cells, weights)
    found = learn(schema, block, setting).without(block)
    for row in range(40):
        rest = np.arange(40) != row
        others = table(dense[rest], cells[rest], None if weights is None else weights[rest])
        want = learn(schema, others, setting).terms(table(dense[[row]]))[0, 0]
        np.testing.assert_allclose(found[row], want, rtol=1e-9, atol=1e-9, err_msg=f"row {row}")


def test_a_middle_block_of_a_larger_matrix():
    dense, cells = documents()
    whole = table(dense, cells)
    bag = whole.bags[1]
    for setting in (Setting(), Setting("mle")):
        predictor = learn(schema_for(40, 3), whole, setting)
        part = Bag(bag.indptr[10:21], bag.indices, bag.data)
        block = Block(10, whole.codes[:10], whole.reals[:10], (whole.bags[0], part), whole.cells[10:20])
        np.testing.assert_allclose(predictor.terms(block), predictor.terms(whole)[10:20], rtol=1e-12)
        np.testing.assert_allclose(predictor.without(block), predictor.without(whole)[10:20], rtol=1e-12)


def test_rows_that_were_never_learnt():
    predictor = learn(schema_for(3, 2), table([[2, 1, 0], [0, 0, 4]], [0, 1]), Setting())
    with pytest.raises(NotLearntError):
        predictor.without(table([[0, 0, 1]], [0]))


@pytest.mark.parametrize("bag", BAG_MODELS)
@pytest.mark.parametrize("setting", [Setting(), Setting("mle")])
def test_terms_of_a_wide_column_are_those_of_its_words(bag, setting):
    dense, cells = documents()
    block = table(dense, cells)
    narrow, wide = (learn(schema_for(40, 3, bag, wide), block, setting) for wide in (False, True))
    terms = wide.terms(block)
    assert terms.shape == (60, 40, 3)
    np.testing.assert_allclose(terms.sum(axis=1), narrow.terms(block)[:, 0], rtol=1e-12)
    assert not terms[dense == 0].any()


@pytest.mark.parametrize("bag", BAG_MODELS)
def test_weights_are_repeated_rows(bag):
    dense, cells = documents()
    times = np.random.default_rng(4).integers(1, 4, 60)
    weighted = learn(schema_for(40, 3, bag), table(dense, cells, times.astype(float)), Setting())
    again = table(np.repeat(dense, times, axis=0), np.repeat(cells, times))
    repeated = learn(schema_for(40, 3, bag), again, Setting())
    np.testing.assert_allclose(weighted.terms(table(dense)), repeated.terms(table(dense)), rtol=1e-12)


@pytest.mark.parametrize("bag", BAG_MODELS)
@pytest.mark.parametrize("setting", [Setting(), Setting("bayes", 1e-8), Setting("mle"), Setting("bayes", 0.0)])
def test_draws_are_shares_about_their_mean(bag, setting):
    dense, cells = documents(words=8)
    predictor = learn(schema_for(8, 4, bag), table(dense, cells), setting)
    each, out = table(np.eye(8)), np.zeros((8, 2000 * 4))
    predictor.drawn(Draws.of(5, 2000)).add(each, out)
    draws = np.moveaxis(np.exp(-out if bag == "complement" else out).reshape(8, 2000, 4), 1, 0)
    np.testing.assert_allclose(np.sum(draws, axis=1), 1, rtol=1e-9)
    if setting.estimate == "bayes":
        mean = np.exp(predictor.terms(each)[:, 0] * (-1 if bag == "complement" else 1))
        tiny = 0 < setting.smoothing < 1e-3  # draws of the class without words pick one word each
        np.testing.assert_allclose(np.mean(draws, axis=0), mean, atol=0.06 if tiny else 0.02)


def test_samples():
    dense, cells = documents(rows=200, words=6, classes=2)
    wide = learn(schema_for(6, 3, wide=True), table(dense, cells), Setting("mle"))
    counts = wide.sample(np.repeat([0, 1, 2], 5000), np.random.default_rng(6)).reshape(3, 5000, 6)
    for cell in (0, 1):
        np.testing.assert_allclose(counts[cell].mean(axis=0), dense[cells == cell].mean(axis=0), atol=0.1)
    np.testing.assert_allclose(counts[2].mean(axis=0), dense.sum() / 200 / 6, atol=0.1)
    texts = learn(schema_for(6, 3), table(dense, cells), Setting()).sample(
        np.array([0, 1, 2]), np.random.default_rng(0)
    )
    assert texts.shape == (3, 1)
    assert all(set(tokens(text)) <= {f"w{at}" for at in range(6)} for text in texts[:, 0])
    none = learn(schema_for(0, 2), table(np.zeros((2, 0)), [0, 1]), Setting())
    assert none.sample(np.array([0, 1]), np.random.default_rng(0)).tolist() == [[""], [""]]
    assert not none.terms(table(np.zeros((2, 0)))).any()


def test_tokens():
    assert tokens("Hello, World_2! naïve") == ["hello", "world_2", "naïve"]
    assert tokens("我爱ABC北京ok") == ["我", "爱", "abc", "北", "京", "ok"]
    assert tokens("ひらカナ 한국어 단어 𠀀々") == ["ひ", "ら", "カ", "ナ", "한국어", "단어", "𠀀", "々"]
    assert tokens("cafe\u0301 ＦＵＬＬ") == ["café", "full"]
    assert tokens("") == tokens(" .,!？。") == []


def test_texts_become_bags():
    texts = ["the cat the dog", None, "", "unknown words only", "dog", float("nan")]
    words = {word: at for at, word in enumerate(sorted(vocabulary(texts[:2])))}
    bag = encode_texts(texts, words)
    assert (bag.indptr.dtype, bag.indices.dtype, bag.data.dtype) == (np.int64, np.int32, np.float64)
    dense = sparse.csr_array((bag.data, bag.indices, bag.indptr), shape=(6, 3)).toarray()
    assert dense.tolist() == [[1, 1, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert encode_texts([], {}).indptr.tolist() == [0]
    assert encode_texts(["a"], {}).data.tolist() == []
