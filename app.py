"""The application: `python app.py` serves it, and Gradio's tools find `demo` here."""

import sys

from app.main import main, prepare

demo, services = prepare()

if __name__ == "__main__":
    sys.exit(main(demo, services))
