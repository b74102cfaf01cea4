"""A site that says who somebody is, as OpenID Connect has it; a small real server for the tests of sign-in by other sites."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit


@dataclass
class OtherSite:
    """The server's address, and who is signed in there."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    declines: bool = False
    asked: list[dict[str, str]] = field(default_factory=list)
    """What came to its sign-in page."""

    def answer(self, path: str, query: dict[str, str]) -> dict[str, Any] | str:
        """JSON, or an address to go on to."""
        if path == "/.well-known/openid-configuration":
            names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "userinfo_endpoint": "me", "jwks_uri": "keys"}
            return {"issuer": self.url, **{name: f"{self.url}/{path}" for name, path in names.items()}}
        if path == "/authorize":
            self.asked.append(query)
            said = {"error": "access_denied"} if self.declines else {"code": "good for once"}
            return f"{query['redirect_uri']}?{urlencode({**said, 'state': query['state']})}"
        if path == "/token":
            return {"access_token": "a token", "token_type": "Bearer", "expires_in": 60}
        assert path == "/me", path
        return self.person


@contextmanager
def other_site(port: int = 0) -> Iterator[OtherSite]:
    """Run one on this machine."""
    site = OtherSite()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            answer = site.answer(parts.path, {key: values[0] for key, values in parse_qs(parts.query).items()})
            if isinstance(answer, str):
                self.send_response(302)
                self.send_header("Location", answer)
                self.end_headers()
            else:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
