"""The addresses of the whole site."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("pages.urls")),
    path("", include("notices.urls")),
    path("", include("profiles.urls")),
    path("", include("lobby.urls")),
    path("", include("ladder.urls")),
    path("", include("rungs.urls")),
    path("", include("figures.urls")),
    path("", include("care.urls")),
    path("account/", include("accounts.urls")),
    path("account/", include("allauth.urls")),
    path("staff/", admin.site.urls),
]
