"""daphne, as `python -m stack.web`: the same options, and a word before it hangs up on somebody."""

from contextlib import suppress
from typing import Any

from autobahn.exception import Disconnected
from daphne.cli import CommandLineInterface
from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol


class Wire(WebSocketProtocol):  # type: ignore[misc]
    """A socket whose bound on the length of messages holds for what comes in, as it is meant, and not for what we send."""

    maxMessagePayloadSize: int  # noqa: N815 - autobahn's name

    def serverSend(self, content: Any, binary: bool = False) -> None:  # noqa: N802 - daphne's name
        """Send one message, however long the position is; to somebody who has just gone, none.

        An error here would end the consumer before it is told of the end, and it would leave its groups never.
        """
        bound, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            with suppress(Disconnected):
                super().serverSend(content, binary)
        finally:
            self.maxMessagePayloadSize = bound


class WebServer(Server):  # type: ignore[misc]
    """Closes a socket that sends too much with code 1009, where daphne only drops the line.

    What still arrives on such a socket is thrown away, and after a second the line is dropped all the same.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, ready_callable=self._tune, **options)

    def _tune(self) -> None:
        self.ws_factory.protocol = Wire
        self.ws_factory.setProtocolOptions(failByDrop=False)


class CommandLine(CommandLineInterface):  # type: ignore[misc]
    """daphne's own command line, for our server."""

    server_class = WebServer


if __name__ == "__main__":
    CommandLine.entrypoint()
