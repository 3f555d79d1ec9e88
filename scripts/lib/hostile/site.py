"""A hostile site: a name, and a function that responds to requests."""

import dataclasses
import functools
import random
import typing

SITES = {}
HTML = ("Content-Type", "text/html; charset=utf-8")


@dataclasses.dataclass
class Answer:
    """A response. The body is bytes, or an iterator of chunks that may pause or never end."""

    body: typing.Any = b""
    status: int = 200
    headers: tuple = (HTML,)
    # Sent compressed; the server caches the compressed body by URL.
    gzip: bool = False
    # Only the chunks are sent; they include the headers.
    raw: bool = False


@dataclasses.dataclass
class Request:
    """The parts of a request that sites use."""

    method: str
    path: str
    query: str
    host: str
    port: int
    headers: dict

    @property
    def target(self):
        return f"{self.path}?{self.query}" if self.query else self.path


@dataclasses.dataclass
class Site:
    """A site by its name. `pages` is the page limit of its audit; with `hosts` it responds at 127.0.0.0/8."""

    name: str
    answer: typing.Callable
    pages: int = 1000
    tls: bool = False
    hosts: bool = False


def site(name, **options):
    """Registers the function that responds to the site's requests; it returns none for a missing page."""

    def register(answer):
        if name in SITES:
            raise ValueError(f"two sites are called {name}")
        SITES[name] = Site(name, answer, **options)
        return answer

    return register


def document(body, head="", title="", lang="en"):
    """An HTML document as bytes."""
    name = title or "Hostile page"
    text = f'<!doctype html><html lang="{lang}"><head><meta charset=utf-8><title>{name}</title>{head}</head><body>'
    return text.encode() + (body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")) + b"</body></html>"


def number_of(path):
    """The number of a page `/p/N`; 0 for the start page, none for any other address."""
    if path == "/":
        return 0
    number = path[3:]
    return int(number) if path.startswith("/p/") and number.isdigit() else None


def index(count):
    """Links to every page."""
    return "<nav>" + "".join(f'<a href="/p/{number}">Page {number}</a> ' for number in range(1, count)) + "</nav>"


def pages(name, count, make, head=None, headers=None, **options):
    """A site of `count` pages. `make(N)` is the body of one, `head(N)` the content of its head, `headers(N)` its
    header fields in addition to the content type; the start page links all others."""

    def answer(request):
        number = number_of(request.path)
        if number is None or number >= count:
            return None
        links = index(count) if number == 0 and count > 1 else ""
        body = make(number) if make else ""
        body = links.encode() + body if isinstance(body, bytes) else links + body
        page = document(body, head(number) if head else "", f"Page {number} of {count}")
        return Answer(page, headers=(HTML, *(headers(number) if headers else ())))

    options.setdefault("pages", max(count, 1))
    site(name, **options)(answer)


def repeated(name, count, each, make, head=None, **options):
    """A site of `count` pages with `each` elements: `make(N, I)` is the I-th of page N."""
    pages(name, count, lambda number: "".join([make(number, at) for at in range(each)]), head, **options)


def single(name, body, head="", **options):
    """A site of one large page, sent compressed. Both parts are generated at the first request."""

    source = functools.cache(lambda: document(body() if callable(body) else body, head() if callable(head) else head))
    raw_single(name, source, **options)


def raw_single(name, content, **options):
    """A site of one page whose whole source is `content()`."""
    source = functools.cache(content)

    @site(name, **{"pages": 10, **options})
    def answer(request):
        return Answer(source(), gzip=True) if request.path == "/" else None


def words(seed, count):
    """Generates words that differ for each seed."""
    chance = random.Random(seed)
    syllables = "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so".split()
    return " ".join("".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(count))
