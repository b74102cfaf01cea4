"""The pages of the notices: the settings, the link that ends mails, tests, and what browsers need for pushes."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from accounts.players import player_of
from accounts.zones import CHOSEN, NAMED, zone_of
from matches import followups
from notices import endpoints, letters, push, wording
from notices.forms import BadBrowser, NoticesForm, read_browser
from notices.models import ALWAYS_MAILED, NEWS, Kind, Mail, Notice, NoticeSettings, PushSubscription
from notices.people import address_of, moment, settings_of

MOST_BROWSERS = 10
"""Per person; the one that was silent for longest makes room."""
MOST_NEWS = 10
LONGEST_BODY = 4096
TEST_EVERY_SECONDS = 30
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux"))
"""What tells them in the words that a browser says of itself, the more telling first."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """What somebody wants to be told and how, and whether it arrives."""
    person = player_of(request.session, request.user)
    if person is None:
        return render(request, "notices/nobody.html")
    settings = settings_of(person)
    form = NoticesForm(request.POST if request.method == "POST" else None, settings)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, gettext("Kept. This is how you will hear from us."))
        return redirect("notices")
    return render(request, "notices/settings.html", _page(person, settings, form))


def _page(person: User, settings: NoticeSettings, form: NoticesForm) -> dict[str, Any]:
    address = address_of(person)
    mails = [choice for choice in Mail.choices if address]
    return {
        "form": form,
        "layout": f"allauth/layouts/{'base' if person.is_guest else 'manage'}.html",
        "address": address,
        "kinds": [(kind.label, form[f"mail_{kind}"], form[f"push_{kind}"], kind == Kind.TURN, kind in ALWAYS_MAILED) for kind in Kind],
        "mails": mails,
        "hours": [(hour, f"{hour:02}:00") for hour in range(24)],
        "zone": str(zone_of(person)) if person.preferences.get(NAMED) or person.preferences.get(CHOSEN) else "",
        "mailed_at": settings.mailed_at and moment(settings.mailed_at, person),
        "mail_failing": bool(settings.mail_failed_at and (settings.mailed_at is None or settings.mail_failed_at > settings.mailed_at)),
        "browsers": [(browser, browser.last_ok_at and moment(browser.last_ok_at, person)) for browser in person.push_subscriptions.all()],
        "news": [(wording.say(notice, person), moment(notice.at, person)) for notice in _news(person)],
        "page": {"key": push.public_key()},
    }


def _news(person: User) -> list[Notice]:
    """What was told lately that belongs to no match: without scripts it stands nowhere else."""
    return list(Notice.objects.filter(user=person, data__event=NEWS).order_by("-pk")[:MOST_NEWS])


@csrf_exempt  # the link itself is the proof, and mail programs post to it without a session (RFC 8058)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def off(request: HttpRequest, token: str) -> HttpResponse:
    """End the mails of one kind: a page with one button, and the button."""
    read = letters.read_off_token(token)
    person = User.objects.filter(pk=read[0], is_active=True).first() if read else None
    if read is None or person is None or read[1] in ALWAYS_MAILED:
        raise Http404(gettext("This link is not one of ours, or its account is gone."))
    kind = read[1]
    if request.method == "POST":
        _end(person, kind)
    label = gettext("the daily mail") if kind == letters.DIGEST else Kind(kind).label
    return render(request, "notices/off.html", {"label": label, "done": request.method == "POST", "person": person})


def _end(person: User, kind: str) -> None:
    settings = settings_of(person)
    ended = [other for other in Kind if settings.mail_for(other) == Mail.DIGEST] if kind == letters.DIGEST else [Kind(kind)]
    settings.mail |= {other.value: Mail.OFF.value for other in ended}
    settings.save()


@require_POST
def test(request: HttpRequest) -> HttpResponse:
    """Send oneself a test, by mail or to all one's browsers."""
    person = player_of(request.session, request.user)
    if person is None:
        return redirect("notices")
    channel = followups.MAIL if request.POST.get("channel") == "mail" else followups.PUSH
    now = timezone.now()
    if not cache.add(f"notices.test.{channel}.{person.pk}", True, TEST_EVERY_SECONDS):
        messages.warning(request, gettext("A test is on its way already. Wait half a minute before the next."))
        return redirect("notices")
    stamp = f"{now:%Y%m%d%H%M%S}"
    data: dict[str, Any] = {"kind": letters.TEST}
    if channel == followups.MAIL:
        followups.ask(channel, key=f"mail:{person.pk}:test:{stamp}", person=person, data=data, now=now)
    else:
        for browser in person.push_subscriptions.values_list("pk", flat=True):
            followups.ask(channel, key=f"push:{person.pk}:test:{stamp}:{browser}", person=person, data=data | {"to": browser}, now=now)
    messages.success(request, gettext("A test is on its way. It should be there within a minute."))
    return redirect("notices")


@never_cache
@require_http_methods(["GET", "POST"])
def browser(request: HttpRequest) -> HttpResponse:
    """GET: what a browser needs to subscribe. POST: its subscription, as JSON."""
    if request.method == "GET":
        return JsonResponse({"key": push.public_key(), "token": get_token(request)})
    person = player_of(request.session, request.user)
    if person is None:
        return _refused(gettext("Play a match or sign in first; then notices can find you."), HTTPStatus.FORBIDDEN)
    try:
        found = read_browser(_json(request))
    except (BadBrowser, endpoints.BadEndpoint):
        return _refused(gettext("This browser's push service is none that we can use."), HTTPStatus.BAD_REQUEST)
    more = {"user": person, "p256dh": found["p256dh"], "auth": found["auth"], "name": _name(request), "failures": 0}
    kept, _ = PushSubscription.objects.update_or_create(
        endpoint=found["endpoint"], defaults=more, create_defaults=more | {"made_at": timezone.now()}
    )
    spare = person.push_subscriptions.exclude(pk=kept.pk).order_by("-last_ok_at", "-pk").values_list("pk", flat=True)
    PushSubscription.objects.filter(pk__in=list(spare)[MOST_BROWSERS - 1 :]).delete()
    return JsonResponse({"name": kept.name})


@require_POST
def browser_off(request: HttpRequest) -> HttpResponse:
    """Forget a browser: by its number from the settings page, or by its endpoint from a script."""
    person = player_of(request.session, request.user)
    if person is None:
        return redirect("notices")
    if request.content_type == "application/json":
        try:
            data = _json(request)
        except BadBrowser:
            data = None
        endpoint = data.get("endpoint") if isinstance(data, dict) else None
        person.push_subscriptions.filter(endpoint=str(endpoint)).delete()
        return JsonResponse({})
    if (number := request.POST.get("browser", "")).isdecimal() and len(number) < 19:
        person.push_subscriptions.filter(pk=int(number)).delete()
    return redirect("notices")


@require_GET
def worker(request: HttpRequest) -> HttpResponse | FileResponse:
    """The service worker; from the root, so that it may show notices of the whole site."""
    found = finders.find("js/sw.js")
    if found is None:
        raise Http404
    answer = FileResponse(open(found, "rb"), content_type="text/javascript; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _refused(sentence: str, status: HTTPStatus) -> JsonResponse:
    return JsonResponse({"message": sentence}, status=status)


def _json(request: HttpRequest) -> Any:
    if request.content_type != "application/json" or len(request.body) > LONGEST_BODY:
        raise BadBrowser("no JSON")
    try:
        return json.loads(request.body)
    except ValueError:
        raise BadBrowser("no JSON") from None


def _name(request: HttpRequest) -> str:
    """What to call the browser: “Firefox, Linux”."""
    agent = request.headers.get("User-Agent", "")
    words = [next((name for mark, name in names if mark in agent), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, words))
