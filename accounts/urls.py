"""The addresses of an account that allauth does not have, below `/account/`."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("name/", views.change_name, name="account_name"),
    path("sessions/<int:pk>/end/", views.end_session, name="account_session_end"),
    path("signup/passkey/", views.PasskeySignup.as_view(), name="account_signup_passkey"),
]
