"""Sign-in with an account of another site, as far as the environment names one: its app, its keys and where it lives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import environ

APPS = "allauth.socialaccount.providers."
KNOWN: dict[str, tuple[str, dict[str, Any]]] = {
    # The provider's key: where its sign-in page lives, and what allauth must be told besides the keys.
    "google": ("https://accounts.google.com", {"SCOPE": ["openid", "email", "profile"], "OAUTH_PKCE_ENABLED": True}),
    "github": ("https://github.com", {"SCOPE": ["user:email"], "OAUTH_PKCE_ENABLED": True}),
    "discord": ("https://discord.com", {"SCOPE": ["identify", "email"]}),
}
OPENID = "openid_connect"


@dataclass(frozen=True, slots=True)
class Providers:
    """What the settings take over."""

    apps: list[str]
    """For `INSTALLED_APPS`."""
    settings: dict[str, Any]
    """`SOCIALACCOUNT_PROVIDERS`."""
    origins: list[str]
    """Where a form of ours may lead to (`form-action`), since browsers look at what a form's answer redirects to."""


def providers(env: environ.Env) -> Providers:
    """Those with a client id in the environment: `GOOGLE_CLIENT_ID`, `GITHUB_CLIENT_ID`, `DISCORD_CLIENT_ID`, `OIDC_CLIENT_ID`."""
    found = Providers([], {}, [])
    for key, (origin, more) in KNOWN.items():
        if client := env(f"{key.upper()}_CLIENT_ID", default=""):
            app = {"client_id": client, "secret": env(f"{key.upper()}_CLIENT_SECRET", default="")}
            _add(found, key, {**more, "APPS": [app]}, origin)
    if client := env("OIDC_CLIENT_ID", default=""):
        server = env("OIDC_SERVER_URL")
        app = {
            "provider_id": "oidc",
            "name": env("OIDC_NAME", default="OpenID Connect"),
            "client_id": client,
            "secret": env("OIDC_CLIENT_SECRET", default=""),
            "settings": {"server_url": server},
        }
        parts = urlsplit(server)
        sign_in = env("OIDC_SIGN_IN_ORIGIN", default=f"{parts.scheme}://{parts.netloc}")
        _add(found, OPENID, {"APPS": [app], "OAUTH_PKCE_ENABLED": True}, sign_in)
    return found


def _add(found: Providers, key: str, settings: dict[str, Any], origin: str) -> None:
    found.apps.append(APPS + key)
    found.settings[key] = settings
    found.origins.append(origin)
