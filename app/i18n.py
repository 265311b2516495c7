"""Every visible string, in English and Chinese."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from app.texts import ask, found, graph, memory

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

# key: (English, Chinese). Fields in braces are filled by `Words`; nothing here is HTML or Markdown.
# fmt: off
TEXTS: Mapping[str, tuple[str, str]] = {
    **ask.TEXTS,
    **found.TEXTS,
    **graph.TEXTS,
    **memory.TEXTS,
    # frame
    "app.title": ("PDF Learning Assistant", "PDF 学习助手"),
    "app.language": ("Language", "语言"),
    "app.theme": ("Light or dark", "浅色或深色"),
    "app.close": ("Close", "关闭"),
    "status.builtin": ("offline · built-in answers", "离线 · 内置回答"),
    "status.model": ("answers by {model}", "由 {model} 回答"),
    "status.title": ("What works for you here", "这里由什么为你工作"),
    "status.answers": ("Answers", "回答"),
    "status.answers_builtin": ("Sentences quoted from your documents; no language model is asked and nothing is sent to another service.", "直接引用你文档中的句子；不调用语言模型，也不会把任何内容发送到其他服务。"),
    "status.answers_model": ("{model} writes the answer from passages of your documents; every citation is checked by the program.", "{model} 根据你文档中的段落撰写回答；每一处引用都由程序核对。"),
    "status.embedder": ("Search by meaning", "语义搜索"),
    "status.refining": ("Finer search", "精细搜索"),
    "status.refining_off": ("switched off", "已关闭"),
    "status.refining_not_installed": ("not available on this computer; the search above serves alone", "本机不可用；仅由上面的搜索提供服务"),
    "status.refining_does_not_start": ("does not run on this computer; the search above serves alone", "在本机无法运行；仅由上面的搜索提供服务"),
    "status.vectors": ("Search index", "搜索索引"),
    "status.records": ("Texts, notes and history", "文本、笔记与历史"),
    "status.graph": ("Connections", "关联"),
    "status.folder": ("Kept in the folder", "保存位置"),
    "status.learner": ("Learner {code}", "学习者 {code}"),
    "status.learner_help": ("The short name of your learning space. It is tied to this browser: another browser starts an empty one.", "你的学习空间的简称。它与此浏览器绑定：换一个浏览器会从空白开始。"),
    "tab.documents": ("Documents", "文档"),
    "tab.ask": ("Ask", "提问"),
    "tab.notes": ("Notes", "笔记"),
    "tab.recall": ("Recall", "回顾"),
    "tab.progress": ("Progress", "进度"),
    "tab.memory": ("Memory", "记忆"),
    # documents
    "documents.drop": ("Drop your documents here", "把文档拖到这里"),
    "documents.choose": ("or choose files", "或选择文件"),
    "documents.kinds_mark": (" · ", "、"),
    "documents.limits": ("Up to {size} MB and {pages} pages each. They stay on this computer, for you alone.", "每个文件最大 {size} MB、{pages} 页。文件只保存在这台电脑上，仅供你自己使用。"),
    "documents.limits_server": ("Up to {size} MB and {pages} pages each. Nobody else sees them.", "每个文件最大 {size} MB、{pages} 页。其他人看不到它们。"),
    "documents.sending": ("Sending {name}…", "正在发送 {name}…"),
    "documents.send_failed": ("{name} did not arrive. Check the connection and choose the file again.", "{name} 未能送达。请检查连接后重新选择文件。"),
    "documents.sample": ("Nothing at hand? Try a sample:", "手边没有文档？试试示例："),
    "documents.yours": ("Your documents", "你的文档"),
    "documents.count": ("{count} documents · {pages} pages", "{count} 个文档 · 共 {pages} 页"),
    "documents.count_one": ("1 document · {pages} pages", "1 个文档 · 共 {pages} 页"),
    "documents.empty_title": ("Your desk is empty", "书桌还是空的"),
    "documents.empty_1": ("Load a document: a paper, a chapter, slides, a manual.", "加载一个文档：论文、章节、幻灯片或手册。"),
    "documents.empty_2": ("Ask about it in your own words.", "用你自己的话提问。"),
    "documents.empty_3": ("Every answer shows the very sentence on the page it comes from.", "每个回答都会在原页面上标出它所依据的句子。"),
    "documents.pages": ("{count} pages", "{count} 页"),
    "documents.pages_one": ("1 page", "1 页"),
    "documents.parts": ("{count} parts", "{count} 个部分"),
    "documents.parts_one": ("1 part", "1 个部分"),
    "documents.also": ("also as {names}", "又名 {names}"),
    "documents.names_mark": (", ", "、"),
    "documents.loaded": ("loaded {date}", "{date} 加载"),
    "documents.ask": ("Ask", "提问"),
    "documents.ask_about": ("Ask about {name}", "就《{name}》提问"),
    "documents.read": ("Read", "阅读"),
    "documents.read_it": ("Read {name}", "阅读《{name}》"),
    "documents.delete": ("Delete", "删除"),
    "documents.delete_it": ("Delete {name}", "删除《{name}》"),
    "documents.delete_sure": ("Delete this document, its index and its page images for good?", "永久删除此文档及其索引和页面图像？"),
    "documents.delete_yes": ("Delete for good", "永久删除"),
    "documents.deleted": ("The document is deleted.", "文档已删除。"),
    "documents.known": ("The same content is already there as {title}.", "同样的内容已经有了：{title}。"),
    "documents.known_coming": ("The same content is already being read.", "同样的内容正在阅读中。"),
    # what is loaded, by kind
    "kind.pdf": ("PDF", "PDF"),
    "kind.office": ("Word, PowerPoint, Excel, EPUB", "Word、PowerPoint、Excel、EPUB"),
    "kind.web": ("web pages", "网页"),
    "kind.notebook": ("notebooks", "Jupyter 笔记本"),
    "kind.markdown": ("Markdown", "Markdown"),
    "kind.text": ("text", "纯文本"),
    "kind.rows": ("tables (CSV)", "表格（CSV）"),
    "kind.json": ("JSON", "JSON"),
    "kind.code": ("source code", "源代码"),
    "kind.image": ("scans and photos", "扫描件和照片"),
    "kind.audio": ("recordings", "录音"),
    # background jobs
    "job.waiting": ("waiting its turn", "排队中"),
    "job.reading": ("reading", "正在阅读"),
    "job.reading_pages": ("reading {done} of {total} pages", "正在阅读：{total} 页中的 {done} 页"),
    "job.reading_parts": ("reading {done} of {total} parts", "正在阅读：{total} 个部分中的 {done} 个"),
    "job.ocr": ("recognising text (OCR)", "正在识别文字（OCR）"),
    "job.ocr_pages": ("recognising text (OCR): {done} of {total} pages", "正在识别文字（OCR）：{total} 页中的 {done} 页"),
    "job.indexing": ("preparing for questions", "正在准备问答"),
    "job.indexing_pages": ("preparing {done} of {total} pages for questions", "正在为问答准备：{total} 页中的 {done} 页"),
    "job.indexing_parts": ("preparing {done} of {total} parts for questions", "正在为问答准备：{total} 个部分中的 {done} 个"),
    "job.refining": ("ready to ask; preparing the finer search: {done} of {total} passages", "可以提问；正在准备精细搜索：{total} 个段落中的 {done} 个"),
    "job.ask_already": ("you can ask already", "现在就可以提问"),
    "job.stopping": ("stopping…", "正在停止…"),
    "job.cancel": ("Cancel", "取消"),
    "job.cancel_it": ("Cancel loading {name}", "取消加载《{name}》"),
    "job.stop": ("Stop", "停止"),
    "job.stop_it": ("Stop working on {name}; what has been read stays", "停止处理《{name}》；已读的内容会保留"),
    "job.retry": ("Try again", "重试"),
    "job.retry_it": ("Try again with {name}", "重试《{name}》"),
    "job.dismiss": ("Dismiss", "知道了"),
    "job.dismiss_it": ("Dismiss the message about {name}", "关闭关于《{name}》的消息"),
    "language.en": ("English", "英文"),
    "language.zh": ("Chinese", "中文"),
    "warning.no_boxes": ("no highlight for this file: it could be read only in the simple way", "此文件无法高亮：只能以简单方式读取"),
    "warning.pages_without_text": ("pages without text (pictures or scans): {pages}", "没有文字的页面（图片或扫描件）：{pages}"),
    "warning.other": ("note: {code}", "提示：{code}"),
    # notes
    "notes.new": ("New note", "新笔记"),
    "notes.concept": ("Concept (optional)", "概念（可不填）"),
    "notes.concept_hint": ("e.g. positional encoding", "例如：位置编码"),
    "notes.content": ("Note", "笔记内容"),
    "notes.content_hint": ("Write it in your own words…", "用你自己的话写下来…"),
    "notes.save": ("Save note", "保存笔记"),
    "notes.saved": ("Saved.", "已保存。"),
    "notes.deleted": ("The note is deleted.", "笔记已删除。"),
    "notes.search": ("Search in your notes", "在笔记中查找"),
    "notes.search_hint": ("A word or a concept", "一个词或概念"),
    "notes.empty": ("No notes yet. Write one here, or save an answer from Ask.", "还没有笔记。可以在这里写，也可以在“提问”中保存回答。"),
    "notes.none_found": ("No note contains “{query}”.", "没有笔记包含“{query}”。"),
    "notes.delete_sure": ("Delete this note for good?", "永久删除这条笔记？"),
    # recall
    "recall.query": ("What would you like to remember?", "你想回忆什么？"),
    "recall.hint": ("A topic, a document, a question you asked…", "一个主题、一个文档、问过的一个问题…"),
    "recall.search": ("Recall", "回顾"),
    "recall.asked": ("You asked", "你问过"),
    "recall.noted": ("You noted", "你记过"),
    "recall.loaded": ("You loaded", "你加载过"),
    "recall.seen": ("You saw", "你看过"),
    "recall.read": ("You read", "你读过"),
    "recall.kept": ("Remembered", "记住的内容"),
    "recall.open_page": ("{name}, page {page}", "{name} 第 {page} 页"),
    "recall.empty": ("Everything you load, ask and note is remembered. Search it here.", "你加载、提问、记录的一切都会被记住，可以在这里查找。"),
    "recall.nothing": ("Nothing remembered fits “{query}”.", "记忆中没有与“{query}”相符的内容。"),
    "recall.working": ("this session", "本次学习"),
    "recall.again": ("Show the answer", "查看回答"),
    # progress
    "progress.refresh": ("Refresh", "刷新"),
    "progress.download": ("Download report (JSON)", "下载报告（JSON）"),
    "progress.documents": ("documents", "文档"),
    "progress.pages": ("pages", "页"),
    "progress.questions": ("questions asked", "提问"),
    "progress.notes": ("notes", "笔记"),
    "progress.citations": ("proven citations", "已证实的引用"),
    "progress.sessions": ("sessions", "学习次数"),
    "progress.now": ("This session", "本次学习"),
    "progress.now_text": ("{duration} so far: {documents} loaded, {questions} asked, {notes} noted. Current document: {current}.", "已进行 {duration}：加载 {documents} 个，提问 {questions} 次，笔记 {notes} 条。当前文档：{current}。"),
    "progress.none_loaded": ("none", "无"),
    "progress.duration_seconds": ("{seconds} s", "{seconds} 秒"),
    "progress.duration_minutes": ("{minutes} min", "{minutes} 分钟"),
    "progress.duration_hours": ("{hours} h {minutes} min", "{hours} 小时 {minutes} 分钟"),
    "progress.activity": ("Activity by day", "每日活动"),
    "progress.activity_text": ("You were active on {days} of the last {window} days; the busiest was {day} with {count} actions.", "过去 {window} 天中你有 {days} 天在学习；最忙的是 {day}，共 {count} 次。"),
    "progress.activity_none": ("Nothing in the last {window} days yet: load a document or ask a question and this fills up.", "过去 {window} 天还没有活动：加载文档或提问后，这里就会有内容。"),
    "progress.chart_documents": ("documents", "文档"),
    "progress.chart_questions": ("questions", "提问"),
    "progress.chart_notes": ("notes", "笔记"),
    "progress.sources": ("Where your answers came from", "回答来自哪里"),
    "progress.sources_text": ("{document} was cited most: {count} times.", "被引用最多的是《{document}》：{count} 次。"),
    "progress.sources_text_one": ("{document} was cited once.", "《{document}》被引用了 1 次。"),
    "progress.sources_none": ("No citation yet: answers will show here which documents they came from.", "还没有引用：有了回答后，这里会显示它们来自哪些文档。"),
    "progress.report": ("Learning report", "学习报告"),
    "progress.report_notes": ("Notes", "笔记"),
    "progress.report_questions": ("Questions and answers", "问题与回答"),
    "progress.report_memory": ("Remembered", "记忆"),
    "progress.report_empty": ("The report fills up as you learn.", "随着学习的进行，报告会逐渐充实。"),
    "progress.report_made": ("As of {date}.", "截至 {date}。"),
    "gaps.title": ("Questions your documents did not answer", "你的文档没有回答的问题"),
    "gaps.text": ("A new document may answer them. Ask again once it is loaded.", "新的文档也许能回答它们，加载后可以再问一次。"),
    "gaps.none": ("None. A question that finds no answer in your documents is kept here, with the pages that come nearest.", "没有。在你的文档中找不到答案的问题会保存在这里，并附上最接近的页面。"),
    "gaps.times": ("asked {count} times", "问过 {count} 次"),
    "gaps.times_one": ("asked once", "问过 1 次"),
    "gaps.again": ("Ask again", "再问一次"),
    "gaps.dismiss": ("Dismiss", "不再显示"),
    "gaps.dismiss_it": ("Dismiss: {question}", "不再显示：{question}"),
    # failures: what happened, and `.remedy` what to do
    "error.unexpected": ("Something went wrong here.", "这里出了点问题。"),
    "error.unexpected.remedy": ("Try again; if it happens again, give the operator this reference: {reference}.", "请重试；如果再次发生，请把这个编号告诉管理员：{reference}。"),
    "error.assistant_error": ("Something went wrong.", "出了点问题。"),
    "error.assistant_error.remedy": ("Try again; if it happens again, ask the operator to look at the log.", "请重试；如果再次发生，请管理员查看日志。"),
    "error.unknown_learner": ("This browser has no learning space yet.", "此浏览器还没有学习空间。"),
    "error.unknown_learner.remedy": ("Reload the page; cookies and site data must be allowed for it.", "请重新加载页面；需要允许此网站的 Cookie 和网站数据。"),
    "error.load_stopped": ("Loading was stopped.", "加载已停止。"),
    "error.load_stopped.remedy": ("Choose the file again to load it.", "如需加载，请重新选择该文件。"),
    "error.load_interrupted": ("Reading this file was interrupted several times.", "读取这个文件时多次中断。"),
    "error.load_interrupted.remedy": ("Try again; if it happens again, split the file into smaller ones.", "请重试；如果再次发生，请把文件拆分成较小的文件。"),
    "error.configuration": ("The configuration cannot be used.", "当前配置无法使用。"),
    "error.configuration.remedy": ("The operator has to correct the setting and start the application again.", "请管理员修正设置后重新启动应用。"),
    "error.unknown_backend": ("A setting names a part that does not exist.", "某项设置指定了不存在的组件。"),
    "error.unknown_backend.remedy": ("The operator has to choose one of the known ones; the log lists them.", "请管理员改用已有的组件；日志中列出了可选项。"),
    "error.missing_dependency": ("A configured part is not installed.", "某个已配置的组件没有安装。"),
    "error.missing_dependency.remedy": ("The operator has to install the package that the log names.", "请管理员安装日志中提到的软件包。"),
    "error.document": ("This file cannot be read.", "无法读取这个文件。"),
    "error.document.remedy": ("Open it in the program it comes from, save it anew and load that.", "请在原来的软件中打开它，重新保存后再加载。"),
    "error.unsupported_format": ("This file cannot be read, or it is not what its name says.", "无法读取这个文件，或者它的内容与文件名不符。"),
    "error.unsupported_format.remedy": ("Load a PDF, Word (docx), PowerPoint (pptx), Excel (xlsx, xls), EPUB, HTML, Markdown, text, CSV, JSON, source code or picture file; save other documents as one of these.", "可以加载 PDF、Word（docx）、PowerPoint（pptx）、Excel（xlsx、xls）、EPUB、HTML、Markdown、纯文本、CSV、JSON、源代码或图片文件；其他文档请先另存为其中一种格式。"),
    "error.encrypted": ("This file is protected with a password.", "这个文件有密码保护。"),
    "error.encrypted.remedy": ("Save a copy without the password in its program and load the copy.", "请在原来的软件中另存一份不带密码的副本，再加载该副本。"),
    "error.empty": ("This file is empty.", "这个文件是空的。"),
    "error.empty.remedy": ("Check that the file was saved or downloaded completely and load it again.", "请确认文件已完整保存或下载，然后重新加载。"),
    "error.scanned": ("There is no text in this file, and none could be recognised in its pictures.", "这个文件里没有文字，图片中也没能识别出文字。"),
    "error.scanned.remedy": ("Scan it anew, sharper and upright, and load the new file.", "请重新扫描，使页面清晰、端正，再加载新文件。"),
    "error.nothing_perceived": ("No words were found in this picture or recording, and none were given.", "在这张图片或录音中没有找到文字，也没有附上说明。"),
    "error.nothing_perceived.remedy": ("Say in words what is to be seen or heard in it.", "请用文字说明其中能看到或听到什么。"),
    "error.damaged": ("This file is damaged or cut off.", "这个文件已损坏或不完整。"),
    "error.damaged.remedy": ("Download or export it again, or save it anew in its program, and load that.", "请重新下载或导出，或在原来的软件中重新保存，再加载。"),
    "error.too_large": ("This file is too large.", "这个文件太大了。"),
    "error.too_large.remedy": ("Split it into smaller files and load the parts you need.", "请把它拆分成较小的文件，只加载需要的部分。"),
    "error.too_complex": ("Reading this file took more time or memory than is allowed.", "读取这个文件所用的时间或内存超出了限制。"),
    "error.too_complex.remedy": ("Save it anew as PDF, or split it, and load the result.", "请将它另存为新的 PDF 或拆分，再加载。"),
    "error.model": ("The language model did not give a usable answer.", "语言模型没有给出可用的回答。"),
    "error.model.remedy": ("Try again; the operator can choose another model.", "请重试；管理员可以更换模型。"),
    "error.embedding": ("The embedding model did not give usable vectors.", "向量模型没有给出可用的结果。"),
    "error.embedding.remedy": ("Try again in a moment; the operator can check the embedding service in the log.", "请稍后重试；管理员可以在日志中查看向量服务的情况。"),
    "error.model_unavailable": ("The language model could not be reached.", "无法连接语言模型。"),
    "error.model_unavailable.remedy": ("Wait a moment and ask again; the operator can check the address and the key.", "请稍候再问；管理员可以检查地址和密钥。"),
    "error.model_response": ("The language model's answer broke off or could not be read.", "语言模型的回答中断或无法读取。"),
    "error.model_response.remedy": ("Ask again; if it stays so, the operator can choose another model.", "请再问一次；如果一直如此，管理员可以更换模型。"),
    "error.model_budget": ("This question has used up its budget of model tokens.", "这个问题已用完语言模型的用量预算。"),
    "error.model_budget.remedy": ("Ask a shorter question; the operator can raise the budget.", "请把问题问得短一些；管理员可以提高预算。"),
    "error.store": ("The store of your documents did not answer.", "存放你文档的数据库没有响应。"),
    "error.store.remedy": ("Try again; the operator can check the disk and the database.", "请重试；管理员可以检查磁盘和数据库。"),
    "error.dimension_mismatch": ("The search index was made with another embedding model.", "搜索索引是用另一个向量模型建立的。"),
    "error.dimension_mismatch.remedy": ("The operator can set the former model again; otherwise load the documents again.", "管理员可以改回原来的模型；否则请重新加载文档。"),
    "error.not_found": ("This is not there any more.", "它已经不在了。"),
    "error.not_found.remedy": ("Reload the page and choose again.", "请重新加载页面后再选择。"),
    "error.invalid_input": ("There is nothing to work with, or it is too long.", "没有内容，或者内容太长。"),
    "error.invalid_input.remedy": ("Write a question or a note of reasonable length and try again.", "请写下长度适中的问题或笔记后重试。"),
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Words:
    """The strings of one language: `words("documents.pages", count=3)`."""

    language: Language

    def __call__(self, key: str, **values: object) -> str:
        """Return the string of `key` with its fields filled. Raises `KeyError` for a wrong key."""
        return TEXTS[key][LANGUAGES.index(self.language)].format(**values)

    def count(self, key: str, number: int, **values: object) -> str:
        """Return the string of `key` for a number, with its own form for one if there is one."""
        form = f"{key}_one" if number == 1 and f"{key}_one" in TEXTS else key
        return self(form, count=number, **values)


def preferred_language(
    choice: object, *, accept: str | None = None, default: str = "auto"
) -> Language:
    """Return the learner's own `choice`, else the operator's `default`, else the browser's wish.

    `accept` is an Accept-Language header; the first of our languages with the highest weight wins,
    English when it names none of them.
    """
    for wish in (choice, default):
        if wish in LANGUAGES:
            return wish
    best: tuple[float, Language] = (0.0, "en")
    for part in (accept or "").split(","):
        match = re.fullmatch(
            r"\s*([A-Za-z]{2,3})(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*", part
        )
        if match and match[1].lower() in LANGUAGES and float(match[2] or 1) > best[0]:
            best = (float(match[2] or 1), cast(Language, match[1].lower()))
    return best[1]


def translations() -> dict[str, dict[str, str]]:
    """Return all strings by language tag, in the form the browser's first paint needs."""
    tags: dict[str, Language] = {
        "en": "en",
        "zh": "zh",
        "zh-CN": "zh",
        "zh-TW": "zh",
        "zh-HK": "zh",
    }
    return {
        tag: {key: texts[LANGUAGES.index(language)] for key, texts in TEXTS.items()}
        for tag, language in tags.items()
    }
