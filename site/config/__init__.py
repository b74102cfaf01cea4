"""How the site is put together: settings, addresses, the ASGI and Celery applications."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
