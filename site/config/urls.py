"""The addresses of the whole site."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    *([path("", include("pages.urls"))] if find_spec("pages.urls") else []),
    path("account/", include("allauth.urls")),
    path("staff/", admin.site.urls),
]
