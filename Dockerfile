# docker build -t pdf-learning-assistant .
# docker run -p 127.0.0.1:7860:7860 -v learning:/data pdf-learning-assistant
FROM python:3.11-slim

# Fonts for PDFs that do not embed theirs; every Python package comes as a wheel, so no compiler.
RUN apt-get update \
    && apt-get install -y --no-install-recommends fonts-dejavu-core fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/*

RUN useradd --uid 1000 --create-home learner \
    && install -d -o learner -g learner /data /srv/app
WORKDIR /srv/app

COPY requirements.txt ./
RUN pip install --no-cache-dir --only-binary :all: -r requirements.txt

COPY --chown=learner:learner . .

USER learner
ENV HOST=0.0.0.0 \
    PORT=7860 \
    DATA_DIR=/data \
    GRADIO_ANALYTICS_ENABLED=False \
    PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 7860

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/', timeout=4).close()"]

CMD ["python", "app.py"]
