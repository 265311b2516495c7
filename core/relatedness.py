"""From which cosine on two texts have to do with each other, measured on the embedder itself."""

import threading

import numpy as np

from core.ports.embedder import Embedder
from core.scoring import unrelated_limit

_SUBJECTS = (
    (("bus timetable", "公交时刻表"), ("The bus leaves at seven.", "公交车早上七点出发。")),
    (("house keys", "家里的钥匙"), ("Where did you put the keys?", "你把钥匙放在哪里了？")),
    (("fruit and bread", "水果和面包"), ("She bought bread and apples.", "她买了面包和苹果。")),
    (("art museum", "美术馆"), ("The museum opens at nine.", "博物馆九点开门。")),
    (("football match", "足球比赛"), ("The team won in extra time.", "球队在加时赛中获胜。")),
    (("rainy weather", "下雨天"), ("It may rain in the afternoon.", "下午可能会下雨。")),
    (("train station", "火车站"), ("How do I get to the station?", "去火车站怎么走？")),
    (("hotel by the sea", "海边酒店"), ("The room has a view of the sea.", "房间能看到大海。")),
    (("roof repair", "修屋顶"), ("He repaired the roof last summer.", "他去年夏天修了屋顶。")),
    (("annual report", "年度报告"), ("The report is sent on Friday.", "报告将在星期五寄出。")),
    (("pharmacy", "药店"), ("Is there a pharmacy near here?", "附近有药店吗？")),
    (("village story", "村里的故事"), ("Grandmother tells a story.", "奶奶讲了一个故事。")),
)
"""Twelve subjects: what one asks for, and a text about it, each in two languages."""


def everyday_texts() -> list[str]:
    """Return texts about unlike subjects, in English and Chinese: a measure for what is unlike."""
    return [text for _, texts in _SUBJECTS for text in texts]


class Relatedness:
    """Knows the limit for one embedder; measured once, at first use."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._measured: tuple[float, float] | None = None

    def limit(self) -> float:
        """Return the cosine above which a query and a text are related. Raises `ModelError`."""
        return self._both()[1]

    def unrelated(self) -> float:
        """Return the mean cosine of what is not related. Raises `ModelError`."""
        return self._both()[0]

    def _both(self) -> tuple[float, float]:
        if self._measured is None:
            measured = self._measure()
            with self._lock:
                self._measured = measured
        return self._measured

    def _measure(self) -> tuple[float, float]:
        subjects = [n for n, (asked, _) in enumerate(_SUBJECTS) for _ in asked]
        asked = [query for queries, _ in _SUBJECTS for query in queries]
        texts = everyday_texts()
        queries = np.stack([self._embedder.embed_query(query) for query in asked])
        documents = self._embedder.embed_documents(texts)
        similarity = queries @ documents.T
        unrelated = np.not_equal.outer(subjects, subjects)
        found = similarity[unrelated].tolist()
        return unrelated_limit(found, deviations=0.0), unrelated_limit(found)
