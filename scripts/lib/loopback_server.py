"""Servers on loopback that withstand browsers: they open many connections at once, and end them during a response."""

import functools
import http.server
import threading


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True

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


def serve_with(handler, context=None):
    """Serves with a handler on a free port, over TLS with this context if there is one. Returns the URL and the server."""
    server = (Server if context is None else TlsServer)(("127.0.0.1", 0), handler)
    server.context = context
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"{'http' if context is None else 'https'}://127.0.0.1:{server.server_port}/", server


def serve_folder(folder):
    """Serves the files of a folder. Returns the URL and the server."""
    return serve_with(functools.partial(Files, directory=folder))
