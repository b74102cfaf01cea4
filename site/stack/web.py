"""daphne, as `python -m stack.web`: the same options, and a word before it hangs up on somebody."""

from typing import Any

from daphne.cli import CommandLineInterface
from daphne.server import Server


class WebServer(Server):  # type: ignore[misc]
    """Closes a socket that sends too much with code 1009, where daphne only drops the line.

    What still arrives on such a socket is thrown away, and after a second the line is dropped all the same.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, ready_callable=self._say_why, **options)

    def _say_why(self) -> None:
        self.ws_factory.setProtocolOptions(failByDrop=False)


class CommandLine(CommandLineInterface):  # type: ignore[misc]
    """daphne's own command line, for our server."""

    server_class = WebServer


if __name__ == "__main__":
    CommandLine.entrypoint()
