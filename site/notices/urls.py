"""The addresses of the notices."""

from django.urls import path

from notices import views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/off/<str:token>/", views.off, name="notices_off"),
    path("notices/test/", views.test, name="notices_test"),
    path("notices/browser/", views.browser, name="notices_browser"),
    path("notices/browser/off/", views.browser_off, name="notices_browser_off"),
    path("sw.js", views.worker, name="service_worker"),
]
