"""The look: paper and ink, one accent, and one yellow that means "this is the proof".

Fonts are those of the reader's system: nothing is fetched. Details are in assets/app.css.
"""

import gradio as gr

SANS = (
    "-apple-system",
    "Segoe UI",
    "Roboto",
    "Noto Sans",
    "Ubuntu",
    "Cantarell",
    "Liberation Sans",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "system-ui",
    "sans-serif",
)
MONO = ("ui-monospace", "SF Mono", "Consolas", "Liberation Mono", "monospace")

COLOURS = {
    "body_background_fill": "var(--desk)",
    "body_text_color": "var(--ink)",
    "body_text_color_subdued": "var(--ink-soft)",
    "background_fill_primary": "var(--paper)",
    "background_fill_secondary": "var(--desk)",
    "border_color_primary": "var(--line)",
    "border_color_accent": "var(--accent)",
    "color_accent_soft": "var(--accent-soft)",
    "link_text_color": "var(--accent)",
    "link_text_color_hover": "var(--accent-strong)",
    "link_text_color_visited": "var(--accent)",
    "link_text_color_active": "var(--accent-strong)",
    "block_background_fill": "transparent",
    "block_border_color": "transparent",
    "block_label_background_fill": "transparent",
    "block_label_text_color": "var(--ink-soft)",
    "block_title_text_color": "var(--ink-soft)",
    "block_info_text_color": "var(--ink-soft)",
    "input_background_fill": "var(--paper)",
    "input_background_fill_focus": "var(--paper)",
    "input_border_color": "var(--line-strong)",
    "input_border_color_focus": "var(--accent)",
    "input_placeholder_color": "var(--ink-faint)",
    "code_background_fill": "var(--desk)",
    "button_primary_background_fill": "var(--accent)",
    "button_primary_background_fill_hover": "var(--accent-strong)",
    "button_primary_border_color": "var(--accent)",
    "button_primary_text_color": "var(--on-accent)",
    "button_secondary_background_fill": "var(--paper)",
    "button_secondary_background_fill_hover": "var(--desk)",
    "button_secondary_border_color": "var(--line-strong)",
    "button_secondary_text_color": "var(--ink)",
    "button_cancel_background_fill": "var(--paper)",
    "button_cancel_background_fill_hover": "var(--danger-soft)",
    "button_cancel_border_color": "var(--danger)",
    "button_cancel_text_color": "var(--danger)",
}
"""Gradio's names and the custom properties of app.css they take their colour from."""


def build_theme() -> gr.themes.Base:
    """Return the theme, light and dark; colours are the custom properties of app.css."""
    theme = gr.themes.Base(
        text_size="lg", radius_size="md", spacing_size="md", font=SANS, font_mono=MONO
    )
    both = {name: colour for key, colour in COLOURS.items() for name in (key, f"{key}_dark")}
    return theme.set(
        **both,
        block_border_width="0px",
        block_padding="0px",
        block_shadow="none",
        input_border_width="1px",
        input_shadow="none",
        input_shadow_focus="0 0 0 3px var(--accent-soft)",
        block_title_text_size="var(--text-sm)",
        block_title_text_weight="500",
        layout_gap="16px",
        form_gap_width="12px",
        button_large_text_size="var(--text-md)",
        button_large_text_weight="600",
        button_primary_shadow="none",
        button_secondary_shadow="none",
        button_transition="background-color 120ms ease",
    )
