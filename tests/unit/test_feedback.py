import pytest

from core.domain.document import Chunk, TextRange
from core.domain.trace import QueryKind
from core.ports.document_store import StoredSegment
from core.rag.feedback import feedback_query, feedback_terms, weights_of
from core.rag.lexical import Segment, SegmentBuilder
from core.scoring import inverse_document_frequency
from core.text.terms import terms

RAIN = [
    "Rain comes from clouds. A cloud holds droplets, and droplets grow by condensation in 1999.",
    "Condensation makes droplets heavy; heavy droplets fall as drizzle, said the 3 observers.",
]
LEARNING = [
    "梯度下降沿着损失函数的负梯度更新参数。学习率决定步长，学习率过大会使损失函数震荡。",
    "学习率的选择很重要。动量法能加快收敛，收敛的快慢由学习率和损失函数决定。",
]


def even(*texts):
    """Every index term is equally rare."""
    return {term: 3.0 for text in texts for term in terms(text)}


def test_telling_words_of_the_passages():
    found = feedback_terms("Why does it rain?", RAIN, even(*RAIN))
    assert found[0] == "droplets"
    assert {"condensation", "clouds"} & {f.lower() for f in found}
    assert len(found) == 8


def test_never_stop_words_numbers_or_the_question_s_own():
    found = {t.lower() for t in feedback_terms("Rain clouds?", RAIN, even(*RAIN), most=50)}
    assert not found & {"rain", "cloud", "clouds", "and", "the", "from", "1999", "3", "a"}


def test_rare_words_come_first_and_common_ones_not_at_all():
    weights = even(*RAIN) | {"drizzl": 9.0, "droplet": 0.2}
    found = feedback_terms("Why does it rain?", RAIN, weights)
    assert found[0] == "drizzle"
    assert "droplets" not in found


def test_chinese_words_are_whole():
    found = feedback_terms("什么是梯度下降？", LEARNING, even(*LEARNING), most=50)
    assert {"学习率", "损失函数", "收敛"} <= set(found)
    assert not {"习率", "损失", "失函", "函数", "学习"} & set(found)
    assert not any("梯度" in term for term in found)


@pytest.mark.parametrize("passages", [[], [""], ["1999 2000 3"], ["the of and"]])
def test_nothing_telling_is_no_query(passages):
    assert feedback_query("Why?", passages, even(*passages)) is None


def test_words_without_a_weight_are_left_out():
    assert feedback_terms("Why does it rain?", RAIN, {}) == ()
    assert feedback_terms("Why does it rain?", RAIN, {"drizzl": 3.0}) == ("drizzle",)


def test_the_query_is_the_question_with_the_words():
    query = feedback_query("Why does it rain?", RAIN, even(*RAIN), most=1)
    assert (query.kind, query.text) == (QueryKind.FEEDBACK, "Why does it rain? droplets")


def test_only_the_first_passages_are_believed():
    late = ["x y z"] * 5 + ["zebra zebra zebra"]
    assert "zebra" not in feedback_terms("Why?", late, even(*late))


def index_of(document_id, *texts):
    builder = SegmentBuilder()
    for i, text in enumerate(texts):
        where = TextRange(page=i + 1, start=0, end=len(text))
        builder.add(
            Chunk(
                id=f"{document_id}-{i}",
                document_id=document_id,
                ordinal=i,
                text=text,
                ranges=(where,),
            )
        )
    return Segment.from_stored(StoredSegment(document_id, 0, builder.to_bytes()))


def test_weights_are_those_of_the_index():
    segments = [index_of("d1", "droplets fall", "droplets grow"), index_of("d2", "a zebra")]
    weights = weights_of("Why does it rain?", ["droplets and a zebra"], segments)
    assert weights == {
        "droplet": inverse_document_frequency(3, 2),
        "zebra": inverse_document_frequency(3, 1),
    }
