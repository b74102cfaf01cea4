"""The figures app."""

from django.apps import AppConfig


class FiguresConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "figures"
