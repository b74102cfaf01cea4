"""The pages app."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "pages"

    def ready(self) -> None:
        """Hear of sessions that end."""
        from pages import sessions  # noqa: F401
