"""All settings. Each can be given in the environment; without any, the site runs on this machine with its own servers."""

import logging
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF

from config.providers import providers
from config.secret import secret_key, vapid_key
from games import KEYS
from stack.places import ROOT, var_dir
from stack.postgres import Postgres
from stack.service import Service
from stack.valkey import Valkey, addresses

env = environ.Env()

# --- What and where ---------------------------------------------------------------------------------------------------

BASE_DIR = ROOT
VAR_DIR = var_dir()
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or secret_key(VAR_DIR)

SITE_URL = env("SITE_URL", default="http://localhost:8000").rstrip("/")
"""The address people type. With https, cookies, redirects and socket origins are strict."""
_site = urlsplit(SITE_URL)
HTTPS = _site.scheme == "https"
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[]) or [_site.hostname, *LOCAL_HOSTS]
_port = f":{_site.port}" if _site.port else ""
SOCKET_ORIGINS = list(dict.fromkeys([SITE_URL, *([] if HTTPS else [f"http://{host}{_port}" for host in LOCAL_HOSTS])]))
"""The pages that may open a socket."""

SIGN_IN_WITH = providers(env)
"""Other sites whose accounts sign in here, see `config.providers`."""

INSTALLED_APPS = [
    "daphne",  # before staticfiles, so that `runserver` serves sockets too
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *SIGN_IN_WITH.apps,
    "allauth.usersessions",
    "accounts",
    "config",
    "stack",
    "ladder",
    "matches",
    "lobby",
    "notices",
    "care",
    "figures",
    "profiles",
    "rungs",
    "shelf",
    "studies",
    "archive",
    "pages",
    *(f"games.{key}" for key in KEYS),
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.middleware.permissions_policy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "care.middleware.Heed",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "accounts.browsers.remember_browser",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.player",
            ]
        },
    }
]

# --- Postgres, Valkey, Celery -----------------------------------------------------------------------------------------

SERVICES: list[Service] = []
"""The servers of our own that this process may have to start; empty when both addresses are given."""

if DATABASE_URL := env("DATABASE_URL", default=""):
    DATABASES = {"default": env.db_url_config(DATABASE_URL)}
else:
    _postgres = Postgres(Path(env("POSTGRES_DIR", default="") or VAR_DIR))
    SERVICES.append(_postgres)
    DATABASES = {"default": _postgres.django()}

# Persistent connections belong to a thread, and under ASGI each request has a new one: so a pool. A waiting lock, a
# runaway query and a forgotten transaction all end by themselves.
_limits = {
    "lock_timeout": env.int("DB_LOCK_TIMEOUT", default=2_000),
    "statement_timeout": env.int("DB_STATEMENT_TIMEOUT", default=15_000),
    "idle_in_transaction_session_timeout": env.int("DB_IDLE_TIMEOUT", default=30_000),
}
DATABASES["default"] |= {
    "CONN_MAX_AGE": 0,
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        **DATABASES["default"].get("OPTIONS", {}),
        "pool": {"min_size": 1, "max_size": env.int("DB_POOL_SIZE", default=8), "timeout": 10},
        "options": " ".join(f"-c {name}={milliseconds}" for name, milliseconds in _limits.items()),
    },
}

if not (REDIS_URL := env("REDIS_URL", default="")):
    _valkey = Valkey(VAR_DIR)
    SERVICES.append(_valkey)
    REDIS_URL = _valkey.url
_redis = addresses(REDIS_URL)

CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [_redis.layer], "prefix": "tessera"}}
}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": _redis.cache, "KEY_PREFIX": "tessera"}}

CELERY_BROKER_URL = env("CELERY_BROKER_URL", default="") or _redis.broker
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A task must end before the broker gives it to somebody else, which it otherwise does while the task still runs.
# Nobody waits for a wake-up: a sender tries again once and leaves the rest to the sweep.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "max_retries": 1,
    "interval_start": 0,
    "socket_connect_timeout": 2,
    "socket_timeout": 3,
}
CELERY_TASK_TIME_LIMIT = 60
CELERY_TASK_SOFT_TIME_LIMIT = 50
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "matches.tasks.think": {"queue": "bots"},
    "care.tasks.check": {"queue": "analysis"},
    "pages.tasks.animate": {"queue": "analysis"},
}
CELERY_BEAT_SCHEDULE = {
    # A copy that waited past the next one has nothing left to do.
    "lobby": {"task": "lobby.tasks.sweep", "schedule": timedelta(seconds=2), "options": {"expires": 2}},
    "sweep": {"task": "matches.tasks.sweep", "schedule": timedelta(seconds=2), "options": {"expires": 2}},
    "flags": {"task": "matches.tasks.flags", "schedule": timedelta(seconds=10), "options": {"expires": 10}},
    "leases": {"task": "matches.tasks.leases", "schedule": timedelta(seconds=60), "options": {"expires": 60}},
    "tidy": {"task": "matches.tasks.tidy", "schedule": timedelta(minutes=10), "options": {"expires": 600}},
    "tables": {"task": "lobby.tasks.tidy", "schedule": timedelta(hours=1), "options": {"expires": 3600}},
    "ratings": {"task": "matches.tasks.audit_ratings", "schedule": timedelta(hours=24), "options": {"expires": 3600}},
    "accounts": {"task": "accounts.tasks.tidy", "schedule": timedelta(hours=6), "options": {"expires": 3600}},
    "care": {"task": "care.tasks.look", "schedule": timedelta(hours=24), "options": {"expires": 86_400}},
    "checks": {"task": "care.tasks.sample", "schedule": timedelta(hours=1), "options": {"expires": 3600}},
    "seasons": {"task": "ladder.tasks.close_seasons", "schedule": timedelta(minutes=5), "options": {"expires": 300}},
    "lists": {"task": "ladder.tasks.keep_lists", "schedule": timedelta(hours=1), "options": {"expires": 3600}},
    "archive": {"task": "archive.tasks.read_first_moves", "schedule": timedelta(seconds=30), "options": {"expires": 30}},
    "figures": {"task": "figures.tasks.count", "schedule": timedelta(minutes=15), "options": {"expires": 900}},
    "notices": {"task": "notices.tasks.round_of_the_day", "schedule": timedelta(minutes=5), "options": {"expires": 300}},
    "rungs": {"task": "rungs.tasks.sweep", "schedule": timedelta(seconds=5), "options": {"expires": 5}},
    "idle_rungs": {"task": "rungs.tasks.idle", "schedule": timedelta(minutes=10), "options": {"expires": 600}},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")

BOT_PACE_SECONDS = env.float("BOT_PACE_SECONDS", default=0.6)
"""The least time between two moves of a match when a bot makes the second, so that people can follow."""

# --- People -----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.AccountBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.passwords.LengthValidator"},
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
    ),
    {"NAME": "accounts.passwords.LeakValidator"},
]
LEAKED_PASSWORDS_URL = env("LEAKED_PASSWORDS_URL", default="https://api.pwnedpasswords.com/range/")
"""The list of leaked passwords, asked by the first five characters of a SHA-1; empty to ask none."""
PWNED_PASSWORDS = {"API_TIMEOUT": 1.0, "ADD_PADDING": True}
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True  # one address; a new one replaces it once it is confirmed
ACCOUNT_PREVENT_ENUMERATION = "strict"  # nobody is told which addresses are known, not even at sign-up
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Tessera: "
ACCOUNT_SESSION_REMEMBER = True  # as for guests: see SESSION_COOKIE_AGE
ACCOUNT_ADAPTER = "pages.adapter.AccountAdapter"
# `key` is the account that is tried, `ip` who tries. Schools and clubs sit behind one address.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "30/15m/ip,5/15m/key",
    "signup": "20/m/ip,120/h/ip",
    "reset_password": "20/h/ip,5/h/key",
    "reset_password_from_key": "20/m/ip",
    "confirm_email": "1/3m/key",
    "manage_email": "10/m/user",
    "change_password": "5/m/user",
    "reauthenticate": "10/m/user",
    "request_login_code": "20/h/ip,5/h/key",
}
MFA_ADAPTER = "accounts.factors.MFAAdapter"
MFA_FORMS = {"add_webauthn": "accounts.forms.AddWebAuthnForm", "edit_webauthn": "accounts.forms.EditWebAuthnForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an address is optional, and one that others claimed keeps nobody out
MFA_TOTP_ISSUER = "Tessera"
MFA_TOTP_TOLERANCE = 1  # a code more to either side, for clocks that go wrong
MFA_RATE_LIMITS = {"webauthn_login": "10/m/ip"}
SOCIALACCOUNT_PROVIDERS = SIGN_IN_WITH.settings
SOCIALACCOUNT_ADAPTER = "pages.adapter.SocialAccountAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.forms.SocialSignupForm"}
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses a name
# How many proxies in front of us add to X-Forwarded-For and set X-Forwarded-Proto, overwriting what a client sends.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=1 if HTTPS else 0)

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = env("EMAIL_FROM", default=f"Tessera <noreply@{_site.hostname}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MODERATORS_EMAIL = env("MODERATORS_EMAIL", default=f"moderators@{_site.hostname}")
"""Where people write who do not agree with what a moderator did."""
EMAIL_TIMEOUT = 10  # seconds; a task that waited longer would lose its lease

VAPID_PRIVATE_KEY = env("VAPID_PRIVATE_KEY", default="") or vapid_key(VAR_DIR)
"""What signs pushes, see `config.secret`."""
PUSH_TO_LOOPBACK = False
"""Whether browsers may be pushed to on this very machine; for tests only."""

# A guest's matches hang on the session, so it lasts.
SESSION_COOKIE_AGE = int(timedelta(days=180).total_seconds())

# --- Security ---------------------------------------------------------------------------------------------------------

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
CSRF_TRUSTED_ORIGINS = [SITE_URL] if HTTPS else []
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked for from this machine, past the proxy
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
if ALLAUTH_TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # the browsers' preload list is for the owner of a domain to join
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        # Older browsers do not count a socket to the page's own host as 'self'.
        "connect-src": [SELF, f"{'wss' if HTTPS else 'ws'}://{_site.netloc}"],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF, *SIGN_IN_WITH.origins],
        "frame-ancestors": [NONE],
    }
}

# --- Files, language, time --------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "config.storage.HashedStorage",
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG
MEDIA_ROOT = VAR_DIR / "media"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hant", "繁體中文"), ("it", "Italiano"), ("fr", "Français"), ("nl", "Nederlands")]
"""Each by its own name, as the switch shows it."""
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- Log --------------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{levelname:<7} {name}: {message}", "style": "{"}},
    "handlers": {"stdout": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "line"}},
    "root": {"handlers": ["stdout"], "level": env("LOG_LEVEL", default="INFO").upper()},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        # Their every task and every connection would bury the rest.
        **{name: {"level": "WARNING"} for name in ("celery.app", "celery.beat", "celery.worker", "daphne", "kombu")},
        "psycopg.pool": {"level": "ERROR"},  # it tries again by itself
    },
}
logging.captureWarnings(True)
