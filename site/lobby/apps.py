"""The app's name for Django."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "lobby"
