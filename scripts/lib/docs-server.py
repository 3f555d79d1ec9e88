"""The server of scripts/run-the-docs, in its clean system: each host name has a folder of /srv, over http and https."""

import functools
import http.server
import pathlib
import ssl
import threading

SRV = pathlib.Path("/srv")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the folder of the requested host."""

    protocol_version = "HTTP/1.1"

    def translate_path(self, path):
        host = self.headers.get("Host", "").partition(":")[0].removeprefix("www.").removeprefix("staging.")
        self.directory = str(SRV / host if host in ("github.com", "example.com") else SRV / "nothing")
        return super().translate_path(path)


def serve(port, context=None):
    """Serves on a port in a thread."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=str(SRV)))
    if context:
        # The handshake happens in the thread of the connection, so that a silent client blocks no other.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever).start()


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(SRV / "server.pem", SRV / "server.key")
serve(80)
serve(443, context)
print("ready", flush=True)
