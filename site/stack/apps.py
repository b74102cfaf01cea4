"""The stack app, which brings the command `up`."""

from django.apps import AppConfig


class StackConfig(AppConfig):
    name = "stack"
