"""Serves the sites of script_sites on loopback, and installs their packages from npm."""

import http.server
import json
import pathlib
import urllib.parse

from loopback_server import serve_with
from npm_package import install
from script_sites import MARKDOWN, OPENAPI, POSTS, RIOT, SITES

# Pages of each site's sitemap beside its start page, which share a pattern.
FURTHER = 10
PAGE = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>Timetable {0}</title></head><body><main><h1>Timetable {0}</h1>"
    "<p>The ferry of line {0} leaves at seven, at noon and at five, every day but the first of May.</p></main></body></html>"
)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a site, or its start page, and the further pages."""

    protocol_version = "HTTP/1.1"
    folder, start, first, scheme = pathlib.Path("."), None, "/", "http"

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        origin = f"{self.scheme}://{self.headers['Host']}"
        number = path.removeprefix("/timetable/line-").removesuffix(".html")
        made = {
            "/robots.txt": ("text/plain", f"User-agent: *\nDisallow:\nSitemap: {origin}/sitemap.xml\n"),
            "/sitemap.xml": ("application/xml", self.sitemap(origin)),
            "/posts.js": ("text/javascript", f"var posts = {json.dumps(POSTS)};"),
            "/README.md": ("text/markdown", MARKDOWN),
            "/openapi.json": ("application/json", json.dumps(OPENAPI)),
            "/app.riot": ("text/plain", RIOT),
        }
        if path in made:
            return self.answer(*made[path])
        if path.startswith("/timetable/") and number.isdigit():
            return self.answer("text/html; charset=utf-8", PAGE.format(number))
        if self.start is not None and path == "/":
            return self.answer("text/html; charset=utf-8", self.start)
        return super().do_GET()

    def sitemap(self, origin):
        urls = [self.first, *(f"/timetable/line-{number}.html" for number in range(FURTHER))]
        entries = "".join(f"<url><loc>{origin}{url}</loc></url>" for url in urls)
        return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'

    def answer(self, media_type, body):
        body = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def translate_path(self, path):
        path = urllib.parse.unquote(urllib.parse.urlsplit(path).path)
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        return str(self.folder.joinpath(*parts)) + ("/" if path.endswith("/") else "")

    def log_message(self, *_):
        pass


def made_sites(folder, names=SITES):
    """The named sites of script_sites: name, whether scripts are needed, folder, page."""
    for name in names:
        packages, needed, start = SITES[name]
        root = folder / "made" / name
        for package in packages:
            target = root / "npm" / package.rpartition("@")[0]
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                install(package, target)
        root.mkdir(parents=True, exist_ok=True)
        yield name, needed, root, "/", start


def serve(folder, first="/", start=None, context=None, link=None):
    """Serves the files of a folder, and a start page if one is given; over TLS with this context if there is one, at the far end of the
    SlowLink if there is one. Returns the URL and the server."""
    scheme = "http" if context is None else "https"
    handler = type("Site", (Handler,), {"folder": folder, "start": start, "first": first, "scheme": scheme})
    origin, server = serve_with(handler, context, link)
    return urllib.parse.urljoin(origin, first), server
