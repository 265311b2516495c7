"""Saving a file: its text goes to the page, which makes the file.

So no copy of it lies where a web address leads.
"""

from dataclasses import dataclass
from typing import Any

import gradio as gr

# What was saved is taken away again: a failure after it must not save it once more.
SAVE = """(text, name) => {
  if (!text) return ['', ''];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  return ['', ''];
}"""


@dataclass(frozen=True, slots=True)
class Download:
    """Where a handler puts a file's text and its name."""

    text: gr.Textbox
    name: gr.Textbox

    @property
    def outputs(self) -> list[gr.Textbox]:
        """The outputs of the handler."""
        return [self.text, self.name]

    def save_after(self, made: Any) -> None:
        """Save the file when the handler's event has ended."""
        made.then(None, self.outputs, self.outputs, js=SAVE, api_visibility="private")


def download_place(name: str) -> Download:
    """Return the place for files; it is not seen."""
    return Download(
        gr.Textbox("", visible="hidden", elem_id=f"{name}-text"),
        gr.Textbox("", visible="hidden", elem_id=f"{name}-name"),
    )
