"""The application: `python app.py` serves it, and Gradio's tools find `demo` here."""

import sys

from app.main import build_app, main, prepare

services = prepare()
demo = build_app(services)

if __name__ == "__main__":
    sys.exit(main(demo, services))
