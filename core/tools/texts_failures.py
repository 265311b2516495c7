"""The errors of `core.errors` in Chinese, by their code: what happened, and what to do."""

_DOCUMENT = "请在原来的软件中重新保存后再添加。"

FAILURES_ZH = {
    "assistant_error": ("出了点问题。", "请重试；如果再次发生，请查看日志。"),
    "configuration": ("当前配置无法使用。", "请修正 .env 文件中的设置后重新启动。"),
    "unknown_backend": ("某项设置指定了不存在的组件。", "请改用已有的组件。"),
    "missing_dependency": ("某个已配置的组件没有安装。", "请安装 requirements.txt 中的软件包。"),
    "document": ("无法读取这个文件。", _DOCUMENT),
    "unsupported_format": ("不支持这种文件，或者内容与文件名不符。", "请改用支持的格式。"),
    "encrypted": ("这个文件有密码保护。", "请另存一份不带密码的副本。"),
    "empty": ("这个文件是空的。", "请确认文件已完整保存。"),
    "scanned": ("文件里没有文字，图片中也没能识别出文字。", "请重新扫描，使页面清晰、端正。"),
    "nothing_perceived": ("在这个文件里什么都没有识别出来。", "请用 content 写下它的内容。"),
    "damaged": ("这个文件已损坏或不完整。", _DOCUMENT),
    "too_large": ("这个文件太大了。", "请拆分成较小的文件。"),
    "too_complex": ("读取这个文件所用的时间或内存超出了限制。", "请另存为新的 PDF 或拆分。"),
    "model": ("语言模型没有给出可用的回答。", "请重试，或在设置中更换模型。"),
    "model_unavailable": ("无法连接语言模型。", "请稍候重试，并检查 LLM_BASE_URL 和密钥。"),
    "model_response": ("语言模型的回答中断或无法读取。", "请重试；如果一直如此，请更换模型。"),
    "model_budget": ("这个问题已用完语言模型的用量预算。", "请把问题问得短一些。"),
    "embedding": ("向量模型没有给出可用的结果。", "请重试，并检查 EMBED_ 开头的设置。"),
    "store": ("数据库没有响应。", "请重试，并检查磁盘和数据库设置。"),
    "dimension_mismatch": ("搜索索引是用另一个向量模型建立的。", "请改回原来的模型，或重新加载。"),
    "not_found": ("没有找到。", "请先列出现有内容，再重新选择。"),
    "load_stopped": ("加载已停止。", "如需加载，请重新添加该文件。"),
    "load_interrupted": ("读取这个文件时多次中断。", "请重试，或把文件拆分成较小的文件。"),
    "invalid_input": ("参数无法使用。", "请改正后重试。"),
}
