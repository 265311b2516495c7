"""From which cosine on two texts have to do with each other, measured on the embedder itself."""

import threading

import numpy as np

from core.ports.embedder import Embedder
from core.scoring import unrelated_limit

_UNRELATED = (
    ("The bus leaves at seven in the morning.", "公交车早上七点出发。"),
    ("Where did you put the keys?", "你把钥匙放在哪里了？"),
    ("She bought bread and apples at the market.", "她在市场买了面包和苹果。"),
    ("What time does the museum open?", "博物馆几点开门？"),
    ("The team won the match in extra time.", "球队在加时赛中获胜。"),
    ("It may rain in the afternoon.", "下午可能会下雨。"),
    ("How do I get to the station?", "去火车站怎么走？"),
    ("The hotel room has a view of the sea.", "酒店房间能看到大海。"),
    ("He repaired the roof last summer.", "他去年夏天修了屋顶。"),
    ("The report will be sent on Friday.", "报告将在星期五寄出。"),
    ("Is there a pharmacy near here?", "附近有药店吗？"),
    ("Grandmother tells a story about her village.", "奶奶讲了一个村里的故事。"),
)
"""Sentences on twelve subjects, each in two languages."""


class Relatedness:
    """Knows the limit for one embedder; measured once, at first use."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._limit: float | None = None

    def limit(self) -> float:
        """Return the cosine above which a query and a text are related. Raises `ModelError`."""
        if self._limit is None:
            limit = self._measure()
            with self._lock:
                self._limit = limit
        return self._limit

    def _measure(self) -> float:
        subjects = [n for n, sentences in enumerate(_UNRELATED) for _ in sentences]
        texts = [text for sentences in _UNRELATED for text in sentences]
        documents = self._embedder.embed_documents(texts)
        queries = np.stack([self._embedder.embed_query(text) for text in texts])
        similarity = queries @ documents.T
        unrelated = np.not_equal.outer(subjects, subjects)
        return unrelated_limit(similarity[unrelated].tolist())
