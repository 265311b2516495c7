"""What the knowledge tool says, English and Chinese."""

from core.tools import texts

_TEXTS: texts.Texts = {
    "added": (
        "✅ Document added: {name} (passages: {passages}, {seconds:.1f} s, namespace: {namespace})",
        "✅ 已添加文档：{name}（片段：{passages}，{seconds:.1f} 秒，命名空间：{namespace}）",
    ),
    "unchanged": (
        "✅ This content is there already as {name}; nothing changed (namespace: {namespace})",
        "✅ 相同的内容已存在：{name}，未作改动（命名空间：{namespace}）",
    ),
    "replaced": ("It replaces {names}.", "已替换：{names}。"),
    "chunking": (
        "{given} was not used: passages have up to {size} tokens and share up to {overlap}. "
        "The settings CHUNK_SIZE and CHUNK_OVERLAP make them smaller.",
        "未采用 {given}：每个片段最多 {size} 个词元，相邻片段最多重叠 {overlap} 个。"
        "如需更小，请修改设置 CHUNK_SIZE 和 CHUNK_OVERLAP。",
    ),
    "no_file": ("There is no file {path}.", "文件不存在：{path}。"),
    "no_file.remedy": ("Check the path, or give the whole one.", "请检查路径，或给出完整路径。"),
    "found": ("🔍 Found {n} passages:", "🔍 找到 {n} 个片段："),
    "found_one": ("🔍 Found 1 passage:", "🔍 找到 1 个片段："),
    "none_found": (
        "🔍 Nothing about “{query}” was found with a score of {score:g} or more. Ask in other "
        "words, or lower min_score.",
        "🔍 没有找到与“{query}”有关、得分不低于 {score:g} 的内容。请换一种说法，或降低 min_score。",
    ),
    "no_documents": (
        "🔍 The knowledge base is empty. Add something with add_document or add_text.",
        "🔍 知识库是空的。请先用 add_document 或 add_text 添加内容。",
    ),
    "passage": (
        "{n}. {name}, {place} (score {score:.2f})",
        "{n}. {name}，{place}（得分 {score:.2f}）",
    ),
    "page": ("page {n}", "第 {n} 页"),
    "part": ("part {n}", "第 {n} 部分"),
    "sources": ("📚 Sources (quotes found letter by letter):", "📚 来源（引文已逐字核对）："),
    "source": ("[{n}] {name}, {place}: “{quote}”", "[{n}] {name}，{place}：“{quote}”"),
    "source_partly": (
        "[{n}] {name}, {place}, in part: “{quote}”",
        "[{n}] {name}，{place}（部分一致）：“{quote}”",
    ),
    "removed": (
        "Citations that could not be proven and were taken out: {n}.",
        "有 {n} 处引用无法核实，已移除。",
    ),
    "stats": (
        "📊 Knowledge base\n"
        "  Namespace: {namespace}\n"
        "  Collection: {collection}\n"
        "  Documents: {documents}\n"
        "  Passages: {passages}\n"
        "  Embedder: {embedder}\n"
        "  Vector store: {store}\n"
        "  Answers: {answering}",
        "📊 知识库\n"
        "  命名空间：{namespace}\n"
        "  集合：{collection}\n"
        "  文档：{documents}\n"
        "  片段：{passages}\n"
        "  向量模型：{embedder}\n"
        "  向量库：{store}\n"
        "  回答方式：{answering}",
    ),
    "document": (
        "  • {name} (pages: {pages}, passages: {passages})",
        "  • {name}（页：{pages}，片段：{passages}）",
    ),
    "extractive": ("in the documents' own words (no language model)", "摘自原文（未配置语言模型）"),
    "confirm": (
        "⚠️ This deletes all documents ({n}) of the namespace {namespace}. "
        "Call clear again with confirm=True to do it.",
        "⚠️ 这会删除命名空间 {namespace} 中的全部 {n} 个文档。"
        "如确定，请加上 confirm=True 再次调用 clear。",
    ),
    "cleared": (
        "✅ Documents deleted from the namespace {namespace}: {n}.",
        "✅ 已删除命名空间 {namespace} 中的 {n} 个文档。",
    ),
    "not_all": (
        "⚠️ Something of them is still found in: {places}. Clear again.",
        "⚠️ 以下位置仍能找到其内容：{places}。请再次执行 clear。",
    ),
    "missing_question": ("There is no question.", "缺少问题。"),
    "missing_question.remedy": (
        "Give it as question (or query).",
        "请用 question（或 query）给出问题。",
    ),
}


def say(key: str, language: str, **values: object) -> str:
    """Return a text of this module in a language (`en`, `zh`)."""
    return texts.of(_TEXTS, key, language, **values)
