"""The rungs app."""

from django.apps import AppConfig


class RungsConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "rungs"
