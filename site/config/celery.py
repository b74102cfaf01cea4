"""The Celery application; tasks are found in every app's `tasks` module."""

import os
import warnings
from typing import Any

from celery import Celery, signals

from stack.kin import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
warnings.filterwarnings("ignore", "You're running the worker with superuser")  # the ordinary account of a container

app = Celery("tessera")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Leave the log as the settings made it: Celery stands back when this signal has a receiver."""


@signals.beat_embedded_init.connect
@signals.worker_process_init.connect
def follow_parent(**_: Any) -> None:
    """The clock and the children of a worker that was killed would otherwise live on."""
    die_with_parent()
