"""Web Push, to a push service of our own that really gets the message and really decrypts it."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from accounts.models import User
from config.secret import vapid_key
from matches.models import FollowUp, Seat
from notices import endpoints, push, tasks
from notices.models import PushSubscription
from tests.notices.conftest import move, rows, work

pytestmark = pytest.mark.long


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Service:
    """A push service with one browser, which it gives its messages as they came."""

    url: str = ""
    status: int = 201
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    key: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"sixteen bytes ok"

    def subscription(self) -> dict[str, Any]:
        """What the browser says when it subscribes."""
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.url, "expirationTime": None, "keys": {"p256dh": b64(public), "auth": b64(self.secret)}}

    def read(self) -> list[dict[str, Any]]:
        """What the browser decrypts."""
        return [json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret)) for _, body in self.heard]


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(made.status)
            if made.status == 307:
                self.send_header("Location", made.url)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    made.url = f"http://127.0.0.1:{server.server_port}/browser/1"
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


def subscribe(client: Client, service: Service, **more: Any) -> Any:
    return client.post("/notices/browser/", json.dumps(service.subscription() | more), content_type="application/json")


@pytest.fixture
def duel(cast, days, service):
    """bob, whose browser takes pushes, is to move."""
    match = days(cast.alice, cast.bob)
    work("tell")
    assert subscribe(cast.at_browser(cast.bob), service).status_code == 200
    return move(match)


def test_a_turn_is_pushed_encrypted_for_the_browser_and_says_only_what_is_public(cast, duel, service):
    work("tell", "push")
    assert service.read() == [{"kind": "turn", "match": duel.pk, "title": "Your turn in Cards", "body": "against alice"}]
    (headers, body), = service.heard
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["topic"] == f"match-{duel.pk}"
    assert int(headers["ttl"]) > 0
    assert b"Cards" not in body


def test_a_push_is_signed_with_our_key_for_that_service(cast, duel, service):
    work("tell", "push")
    (headers, _), = service.heard
    scheme, _, rest = headers["authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    claims = json.loads(raw(signed.split(".")[1]))
    assert scheme == "vapid"
    assert claims["aud"] == service.url.removesuffix("/browser/1")
    assert claims["sub"] == "mailto:noreply@localhost"
    assert parts["k"] == push.public_key() == cast.at_browser(cast.bob).get("/notices/browser/").json()["key"]
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(parts["k"]))
    number = raw(signature)
    der = utils.encode_dss_signature(int.from_bytes(number[:32], "big"), int.from_bytes(number[32:], "big"))
    key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))


def test_the_key_of_pushes_is_made_once_and_for_its_owner_alone(tmp_path):
    key = vapid_key(tmp_path / "var")
    assert vapid_key(tmp_path / "var") == key != vapid_key(tmp_path / "other")
    assert len(raw(key)) == 32
    assert (tmp_path / "var" / "vapid_key").stat().st_mode & 0o777 == 0o600


def test_what_was_delivered_when_is_shown(cast, duel, service):
    work("tell", "push")
    browser = PushSubscription.objects.get(user=cast.bob)
    assert browser.last_ok_at is not None
    assert b"last delivered" in cast.at_browser(cast.bob).get("/notices/").content


def test_a_push_is_sent_once_and_none_to_who_has_seen_the_position(cast, duel, service):
    work("tell")
    (row,) = rows("push")
    tasks.push(row.pk)
    tasks.push(row.pk)
    assert len(service.heard) == 1
    match = move(move(duel))
    work("tell")
    Seat.objects.filter(match=match, number=1).update(seen_ply=match.ply)
    work("push")
    assert len(service.heard) == 1


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_browser_that_is_gone_is_forgotten(cast, duel, service, status):
    service.status = status
    work("tell", "push")
    assert not PushSubscription.objects.exists()
    assert rows("push") == []


@pytest.mark.parametrize("status", [307, 429, 500])
def test_a_service_in_trouble_is_tried_again_and_not_followed_elsewhere(cast, duel, service, status):
    service.status = status
    work("tell", "push")
    assert len(service.heard) == 1
    (row,) = rows("push")
    assert (row.error, row.due_at > timezone.now()) == ("NotTaken", True)
    assert PushSubscription.objects.get().failures == 1
    service.status = 201
    FollowUp.objects.filter(pk=row.pk).update(lease_until=None)
    work("push")
    assert PushSubscription.objects.get().failures == 0


def test_a_test_goes_to_every_browser_of_oneself(cast, service):
    client = cast.at_browser(cast.bob)
    subscribe(client, service)
    page = client.post("/notices/test/", {"channel": "push"}, follow=True)
    assert b"on its way" in page.content
    work("push")
    assert [told["kind"] for told in service.read()] == ["test"]
    assert b"Wait half a minute" in client.post("/notices/test/", {"channel": "push"}, follow=True).content
    assert rows("push") == []


def test_a_browser_belongs_to_who_used_it_last(cast, service):
    for user in (cast.alice, cast.bob):
        subscribe(cast.at_browser(user), service)
    assert PushSubscription.objects.get().user == cast.bob


def test_the_browser_of_a_guest_goes_along_to_the_account_it_signs_in_to(cast, service):
    client = cast.at_browser(cast.guest())
    subscribe(client, service)
    assert cast.bob.pk
    User.objects.filter(username="bob").update(password=make_password("olive-tile-7"))
    client.post("/account/login/", {"login": "bob", "password": "olive-tile-7"})
    assert PushSubscription.objects.get().user == cast.bob


def test_a_browser_can_be_forgotten_by_its_own_person_only(cast, service):
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    subscribe(alice, service)
    number = PushSubscription.objects.get().pk
    bob.post("/notices/browser/off/", {"browser": number})
    bob.post("/notices/browser/off/", json.dumps({"endpoint": service.url}), content_type="application/json")
    assert PushSubscription.objects.count() == 1
    alice.post("/notices/browser/off/", json.dumps({"endpoint": service.url}), content_type="application/json")
    assert PushSubscription.objects.count() == 0


@pytest.mark.parametrize(
    "sent",
    ["", "[]", '{"endpoint": 7}', '{"endpoint": "https://push.example.org/", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}', "{" * 5000],
)
def test_what_is_no_subscription_is_refused_with_a_sentence(cast, sent):
    answer = cast.at_browser(cast.bob).post("/notices/browser/", sent, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["message"] == "This browser's push service is none that we can use."


def test_nobody_subscribes_without_being_somebody(db, service):
    assert subscribe(Client(), service).status_code == 403


def test_subscribing_needs_the_token_of_the_page(cast, service):
    client = cast.at_browser(cast.bob)
    client.handler.enforce_csrf_checks = True
    assert subscribe(client, service).status_code == 403
    token = client.get("/notices/browser/").json()["token"]
    body = json.dumps(service.subscription())
    assert client.post("/notices/browser/", body, content_type="application/json", headers={"X-CSRFToken": token}).status_code == 200


def test_a_person_has_ten_browsers_at_most(cast, service):
    client = cast.at_browser(cast.bob)
    for number in range(12):
        subscribe(client, service, endpoint=f"{service.url}{number}")
    assert PushSubscription.objects.filter(user=cast.bob).count() == 10


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/", "https://127.0.0.1/", "https://localhost/", "https://10.0.0.7/", "https://192.168.1.1/",
        "https://169.254.169.254/", "https://[::1]/", "https://[::ffff:10.0.0.7]/", "https://[fe80::1]/", "https://224.0.0.1/",
        "https://0.0.0.0/", "http://9.9.9.9/", "ftp://9.9.9.9/", "https:///nothing", "",
        "https://user:secret@9.9.9.9/", "https://9.9.9.9:99999/", "https://9.9.9.9/" + "x" * 600,
    ],
)  # fmt: skip
def test_on_the_site_itself_nothing_inside_our_network_is_pushed_to(settings, address):
    settings.PUSH_TO_LOOPBACK = False
    with pytest.raises(endpoints.BadEndpoint):
        endpoints.check(address)


def test_a_public_address_is_pushed_to(settings):
    settings.PUSH_TO_LOOPBACK = False
    endpoints.check("https://9.9.9.9/push/abc")


def test_a_name_that_leads_inside_only_when_it_is_connected_to_gets_nothing(settings, service):
    """A name may be resolved twice, and lead elsewhere the second time."""
    settings.PUSH_TO_LOOPBACK = False
    with endpoints.Session() as session, pytest.raises(endpoints.BadEndpoint):
        session.post(service.url, b"data", timeout=5)
    assert service.heard == []


def test_the_service_worker_rules_the_whole_site_and_is_always_fresh(client):
    answer = client.get("/sw.js")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert b"showNotification" in b"".join(answer.streaming_content)
