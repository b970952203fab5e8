# With its digest where deploy/pin-images has asked for one.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
FROM ${PYTHON_IMAGE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /app
RUN python -m venv /venv
COPY requirements.txt ./
# Without the embedded servers, which are in requirements-embedded.txt: Postgres and Valkey have images of their own.
RUN /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation -e .

FROM ${PYTHON_IMAGE}
# A named user: Postgres' tools and the sandbox look the running user up.
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin aurum && install -d -o aurum -g aurum /data
COPY --from=build /venv /venv
COPY --from=build /app /app
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=aurum_league.settings.server AURUM_DATA=/data HOST=0.0.0.0 LOG_FORMAT=json
WORKDIR /app
# Collecting files needs settings but no server; these values are not kept in the image.
RUN SECRET_KEY=build ALLOWED_HOSTS=build SITE_URL=https://build DATABASE_URL=postgres://build/build REDIS_URL=redis://build \
    python manage.py collectstatic --noinput -v 0
USER aurum
EXPOSE 8000
CMD ["python", "manage.py", "up", "--only", "web"]
