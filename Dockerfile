# One image for every process of the site; compose.yaml says which runs where.
FROM python:3.12-slim
WORKDIR /app
ENV PYTHONUNBUFFERED=1
# Letters on pictures for writings that our own typefaces do not have.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends fonts-droid-fallback fonts-dejavu-core \
 && rm -rf /var/lib/apt/lists/*
COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --root-user-action ignore -r requirements.txt
COPY . .
RUN export DATABASE_URL=postgres://none REDIS_URL=redis://none SECRET_KEY=none \
 && python manage.py i18n compile && python manage.py collectstatic --no-input -v 0 \
 && useradd --system tessera && chown -R tessera var
USER tessera
EXPOSE 8000
CMD ["python", "manage.py", "process", "web"]
