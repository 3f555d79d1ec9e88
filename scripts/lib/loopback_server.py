"""Servers on loopback that withstand browsers: they open many connections at once, and end them during a response."""

import functools
import contextlib
import http.server
import socket
import threading

LOOPBACK = "127.0.0.1"


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True

    def get_request(self):
        connection, client_address = super().get_request()
        # As web servers do: otherwise the head of a response waits for the acknowledgement of what was sent before it.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        return connection, client_address

    def handle_error(self, *_):
        pass


class TlsServer(Server):
    """A server that speaks TLS. Handshakes take place in the threads of the connections."""

    context = None

    def finish_request(self, request, client_address):
        with self.context.wrap_socket(request, server_side=True) as connection:
            super().finish_request(connection, client_address)


class Files(http.server.SimpleHTTPRequestHandler):
    """A folder as a plain static server sends it."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def serve_with(handler, context=None, link=None):
    """Serves with a handler on a free port, over TLS with this context if there is one, at the far end of the SlowLink if there is one.
    Returns the URL and the server."""
    with link.within_site() if link else contextlib.nullcontext():
        server = (Server if context is None else TlsServer)((link.address if link else LOOPBACK, 0), handler)
    server.context = context
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"{'http' if context is None else 'https'}://{link.name if link else LOOPBACK}:{server.server_port}/", server


def serve_folder(folder):
    """Serves the files of a folder. Returns the URL and the server."""
    return serve_with(functools.partial(Files, directory=folder))
