"""The sentences of the scripts in one language, as a script of its own that browsers may keep."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, override
from django.utils.translation.trans_real import DjangoTranslation
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from stack.catalogues import SCRIPTS, SOURCE_LANGUAGE, po_file

YEAR = 365 * 24 * 3600


@cache
def edition(language: str) -> str:
    """A word that changes with the language's sentences; empty for the language they are written in."""
    compiled = po_file(language, SCRIPTS).with_suffix(".mo")
    if language == SOURCE_LANGUAGE or not compiled.exists():
        return ""
    return hashlib.sha256(compiled.read_bytes()).hexdigest()[:12]


@require_safe
def catalogue(request: HttpRequest, language: str, tag: str) -> HttpResponseBase:
    """The catalogue of a language; under the tag of its present edition it never changes."""
    if language not in dict(settings.LANGUAGES) or not edition(language):
        raise Http404
    with override(language):
        response = OurCatalog.as_view()(request)
    if tag == edition(language):
        patch_cache_control(response, public=True, max_age=YEAR, immutable=True)
    else:
        patch_cache_control(response, no_store=True)
    return response


class OurCatalog(JavaScriptCatalog):
    """Django's, without what the scripts of its own admin pages say."""

    domain = SCRIPTS

    def get(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        self.translation = DjangoTranslation(get_language(), domain=self.domain, localedirs=[str(path) for path in settings.LOCALE_PATHS])
        return self.render_to_response(self.get_context_data(**kwargs))
