"""What the memory tool says, English and Chinese."""

from core.tools import texts

_TEXTS: texts.Texts = {
    "kind.working": ("Working Memory", "工作记忆"),
    "kind.episodic": ("Episodic Memory", "情景记忆"),
    "kind.semantic": ("Semantic Memory", "语义记忆"),
    "kind.perceptual": ("Perceptual Memory", "感知记忆"),
    "added": ("✅ Memory added (ID: {id}...)", "✅ 已添加记忆（ID：{id}...）"),
    "seen_again": (
        "✅ Already remembered, now seen {times} times (ID: {id}...)",
        "✅ 已有相同的记忆，这是第 {times} 次出现（ID：{id}...）",
    ),
    "found": ("🔍 Found {n} related memories:", "🔍 找到 {n} 条相关记忆："),
    "found_one": ("🔍 Found 1 related memory:", "🔍 找到 1 条相关记忆："),
    "none_found": (
        "🔍 No memories found related to '{query}'",
        "🔍 没有找到与“{query}”相关的记忆",
    ),
    "line": (
        "{n}. [{kind}] {preview} (Importance: {importance:.2f}, ID: {id}...)",
        "{n}. [{kind}] {preview}（重要性：{importance:.2f}，ID：{id}...）",
    ),
    "summary": (
        "📊 Memory summary\n  Memories: {total}\n  Current session: {session}",
        "📊 记忆摘要\n  记忆总数：{total}\n  当前会话：{session}",
    ),
    "by_kind": ("📋 By type:", "📋 按类型："),
    "of_kind": (
        "  • {kind}: {n} (mean importance: {importance:.2f})",
        "  • {kind}：{n} 条（平均重要性：{importance:.2f}）",
    ),
    "important": ("⭐ Important memories:", "⭐ 重要记忆："),
    "stats": (
        "📈 Memory statistics\n  Memories: {total}\n  Types: {kinds}\n  Current session: {session}",
        "📈 记忆统计\n  记忆总数：{total}\n  已启用的类型：{kinds}\n  当前会话：{session}",
    ),
    "no_session": ("none yet", "尚未开始"),
    "count": ("  • {kind}: {n}", "  • {kind}：{n} 条"),
    "archived": ("  • In the archive: {n}", "  • 归档：{n} 条"),
    "updated": (
        "✅ Memory updated (ID: {id}...): {preview} (Importance: {importance:.2f})",
        "✅ 已更新记忆（ID：{id}...）：{preview}（重要性：{importance:.2f}）",
    ),
    "removed": (
        "✅ Memory removed (ID: {id}...); it can be brought back for {days} days.",
        "✅ 已删除记忆（ID：{id}...），{days} 天内可以恢复。",
    ),
    "forgot": (
        "🧹 Forgot {n} memories (strategy: {strategy})",
        "🧹 已遗忘 {n} 条记忆（策略：{strategy}）",
    ),
    "would_forget": (
        "🧹 Would be forgotten: {n} (strategy: {strategy}); nothing was done yet:",
        "🧹 将遗忘 {n} 条记忆（策略：{strategy}），尚未执行：",
    ),
    "would_forget_none": (
        "🧹 Would forget nothing (strategy: {strategy}).",
        "🧹 没有需要遗忘的记忆（策略：{strategy}）。",
    ),
    "consolidated": (
        "🔄 Consolidated {n} memories to long-term memory ({source} → {target}, "
        "threshold={threshold})",
        "🔄 已将 {n} 条记忆整合为长期记忆（{source} → {target}，阈值={threshold}）",
    ),
    "cleared": (
        "🧽 Deleted all {n} memories of {user} for good.",
        "🧽 已彻底删除 {user} 的全部 {n} 条记忆。",
    ),
    "no_content": ("There is nothing to remember.", "没有要记住的内容。"),
    "no_content.remedy": ("Give content, or a file_path.", "请给出 content，或 file_path。"),
    "no_file": ("There is no file {path}.", "文件不存在：{path}。"),
    "no_file.remedy": ("Check the path, or give the whole one.", "请检查路径，或给出完整路径。"),
    "file_elsewhere": (
        "A file belongs to perceptual memory, not to {kind}.",
        "文件属于感知记忆，不属于{kind}。",
    ),
    "file_elsewhere.remedy": (
        "Set memory_type to perceptual, or leave file_path out.",
        "请把 memory_type 设为 perceptual，或去掉 file_path。",
    ),
    "not_enabled": (
        "The memory type “{kind}” is unknown or not enabled here.",
        "记忆类型“{kind}”不存在，或此处没有启用。",
    ),
    "not_enabled.remedy": ("Use one of: {kinds}.", "可用的类型：{kinds}。"),
    "nothing_to_change": ("There is nothing to change.", "没有要修改的内容。"),
    "nothing_to_change.remedy": (
        "Give content, importance or both.",
        "请给出 content 或 importance。",
    ),
    "no_memory": ("There is no memory with the ID {id}.", "没有 ID 为 {id} 的记忆。"),
    "no_memory.remedy": (
        "Take an ID from search or summary.",
        "请从 search 或 summary 的结果中取得 ID。",
    ),
    "remembered": ("I have remembered: {what}", "我记住了：{what}"),
    "known_of_you": (
        "No memory fits the question. The most important ones about you:",
        "没有与问题直接相关的记忆。关于你最重要的记忆：",
    ),
    "from_memory": ("From memory:", "来自记忆："),
}


def say(key: str, language: str, **values: object) -> str:
    """Return a text of this module in a language (`en`, `zh`)."""
    return texts.of(_TEXTS, key, language, **values)
