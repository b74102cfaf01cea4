"""The addresses of the whole site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The staff signs in like everybody else: by passkey or with a second step, and not without end.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("pages.urls")),
    path("", include("notices.urls")),
    path("", include("profiles.urls")),
    path("", include("lobby.urls")),
    path("", include("ladder.urls")),
    path("", include("rungs.urls")),
    path("", include("figures.urls")),
    path("", include("archive.urls")),
    path("", include("shelf.urls")),
    path("", include("studies.urls")),
    path("", include("care.urls")),
    path("account/", include("accounts.urls")),
    path("account/", include("allauth.urls")),
    path("staff/", admin.site.urls),
]
