"""Sites whose robots.txt, sitemaps, feeds, llms.txt, scripts, images and other files are long."""

import functools
import gzip
import random

from hostile.elements import secret
from hostile.site import HTML, Answer, document, index, number_of, site

MIB = 1024 * 1024
TEXT = ("Content-Type", "text/plain; charset=utf-8")
XML = ("Content-Type", "application/xml")
LIMIT = 500 * 1024


def site_with_robots(name, text, count=50, **options):
    """A site of small pages with this robots.txt, which is generated once from the site's address."""
    made = {}

    @site(name, pages=count, **options)
    def answer(request):
        if request.path == "/robots.txt":
            if request.port not in made:
                body = text(f"http://127.0.0.1:{request.port}")
                made[request.port] = body if isinstance(body, bytes) else body.encode()
            return Answer(made[request.port], headers=(TEXT,))
        number = number_of(request.path)
        return None if number is None or number >= count else Answer(document(index(count) + f"Page {number}"))


def lines(make, most=LIMIT):
    parts, length, at = [], 0, 0
    while length < most:
        line = make(at)
        parts.append(line)
        length += len(line) + 1
        at += 1
    return "\n".join(parts)[:most]


site_with_robots("robots-wildcards", lambda own: "User-agent: *\n" + lines(lambda i: "Disallow: /" + "*a" * 8_000 + f"{i}"))
site_with_robots("robots-wildcards-short", lambda own: "User-agent: *\n" + lines(lambda i: f"Disallow: *{i:x}*"))
site_with_robots("robots-stars", lambda own: "User-agent: *\n" + lines(lambda i: "Disallow: " + "*" * 16_000 + f"{i}$"))
site_with_robots("robots-queries", lambda own: "User-agent: *\n" + lines(lambda i: f"Disallow: /*?a=%2f{i}"))
site_with_robots("robots-rules", lambda own: "User-agent: *\n" + lines(lambda i: f"Disallow: /d{i}"))
site_with_robots("robots-agents", lambda own: lines(lambda i: f"User-agent: a{i}") + "\nDisallow: /x")
site_with_robots("robots-groups", lambda own: lines(lambda i: f"User-agent: *\nDisallow: /g{i}"))
site_with_robots("robots-sitemaps", lambda own: lines(lambda i: f"Sitemap: {own}/s{i}.xml"))
site_with_robots("robots-sitemaps-invalid", lambda own: lines(lambda i: f"Sitemap: s{i}"))
site_with_robots("robots-signals", lambda own: "User-agent: *\n" + lines(lambda i: f"Content-Signal: search=no,ai-train=yes,x{i}=y"))
site_with_robots("robots-fields-unknown", lambda own: lines(lambda i: f"field{i}: x"))
site_with_robots("robots-faults", lambda own: lines(lambda i: f"no colon {i}"))
site_with_robots("robots-line-long", lambda own: "User-agent: *\nDisallow: /" + "x" * 400_000)
site_with_robots("robots-100mb", lambda own: b"User-agent: *\n" + b"Disallow: /x\n" * 8 * MIB)
site_with_robots("crawl-delay-1e21", lambda own: "User-agent: *\nCrawl-delay: 1e21\n")
site_with_robots("crawl-delay-nan", lambda own: "User-agent: *\n" + lines(lambda i: f"Crawl-delay: {i}e{i}"))


@site("robots-blocks-linked", pages=200)
def blocks_linked(request):
    """Each rule disallows a linked page."""
    if request.path == "/robots.txt":
        return Answer(("User-agent: *\n" + "\n".join(f"Disallow: /b{i}$" for i in range(25_000))).encode(), headers=(TEXT,))
    number = number_of(request.path)
    if number is None:
        return None
    links = "".join(f"<a href=/b{(number * 1_250 + i) % 25_000}>x</a>" for i in range(1_250))
    return Answer(document(index(200) + links))


def sitemap(entries):
    body = "".join(entries)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{body}</urlset>'.encode()


def with_sitemaps(name, make, count=50, robots=None, **options):
    """`make(PATH, OWN)` returns the body of a URL below /s, or a complete response."""
    made = functools.lru_cache(4)(make)

    @site(name, **{"pages": count, **options})
    def answer(request):
        own = f"http://127.0.0.1:{request.port}"
        if request.path == "/robots.txt":
            found = [f"Sitemap: {own}/s{i}.xml" for i in range(50)]
            return Answer("\n".join((robots or []) + found).encode(), headers=(TEXT,))
        if request.path.startswith("/s"):
            body = made(request.path, own)
            return body if isinstance(body, Answer) or body is None else Answer(body, headers=(XML,), gzip=True)
        number = number_of(request.path)
        return None if number is None else Answer(document(index(count) if number == 0 else "x"))


with_sitemaps("sitemap-long-urls", lambda path, own: sitemap(f"<url><loc>{own}{path}/{i}/{'u' * 1_900}</loc></url>" for i in range(25_000)))
with_sitemaps("sitemap-longest-urls", lambda path, own: sitemap(f"<url><loc>{own}{path}/{i}/{'u' * 4_000}</loc></url>" for i in range(12_000)))
with_sitemaps("sitemap-urls-200000", lambda path, own: sitemap(f"<url><loc>{own}{path}/{i}</loc></url>" for i in range(50_000)))
with_sitemaps("sitemap-urls-blocked", lambda path, own: sitemap(f"<url><loc>{own}/b{path[2:-4]}x{i}</loc></url>" for i in range(20_000)), robots=["User-agent: *"] + [f"Disallow: /b{i % 50}x{i}" for i in range(15_000)])
with_sitemaps("sitemap-other-hosts", lambda path, own: sitemap(f"<url><loc>http://h{path[2:-4]}x{i}.example/</loc></url>" for i in range(40_000)))
with_sitemaps("sitemap-dates-invalid", lambda path, own: sitemap(f"<url><loc>{own}/p/{i}</loc><lastmod>d{path}{i}{'x' * 500}</lastmod></url>" for i in range(20_000)))
with_sitemaps("sitemap-problems", lambda path, own: sitemap(f"<url><loc>not {i} a URL</loc><priority>x</priority></url><bad{i}/>" for i in range(20_000)))
with_sitemaps("sitemap-alternates", lambda path, own: sitemap(f"<url><loc>{own}/p/{i}</loc>{''.join(f'<xhtml:link rel=alternate hreflang=q{k} href={own}/{k}/>' for k in range(50))}</url>" for i in range(5_000)))
with_sitemaps("sitemap-index-tree", lambda path, own: f"<sitemapindex>{''.join(f'<sitemap><loc>{own}{path[:-4]}x{i}.xml</loc></sitemap>' for i in range(50_000))}</sitemapindex>".encode())
with_sitemaps("sitemap-index-cycle", lambda path, own: f"<sitemapindex>{''.join(f'<sitemap><loc>{own}/s{i}.xml</loc></sitemap>' for i in range(50_000))}</sitemapindex>".encode())
with_sitemaps("sitemap-texts", lambda path, own: Answer("\n".join(f"{own}{path}/{i}" for i in range(60_000)).encode(), headers=(TEXT,)))
with_sitemaps("sitemap-depth", lambda path, own: b"<urlset>" + b"<a>" * 3_000_000)
with_sitemaps("sitemap-attributes", lambda path, own: b"<urlset " + b" ".join(b"a%d=''" % i for i in range(500_000)) + b">")
with_sitemaps("sitemap-entities", lambda path, own: b"<!DOCTYPE x [<!ENTITY a0 'aaaaaaaaaa'>" + b"".join(b"<!ENTITY a%d '%s'>" % (i, b"&a%d;" % (i - 1) * 10) for i in range(1, 20)) + b"]><urlset><url><loc>&a19;</loc></url></urlset>")
with_sitemaps("sitemap-unclosed", lambda path, own: b"<urlset><url><loc>" + b"u" * (45 * MIB))


@functools.cache
def zipped_sitemap():
    return gzip.compress(b"<urlset>" + b"<url><loc>http://127.0.0.1/x</loc></url>" * 5_000_000, 9)


with_sitemaps("sitemap-gzip-bomb", lambda path, own: Answer(zipped_sitemap(), headers=(("Content-Type", "application/gzip"),)))


@site("feeds", pages=50)
def feeds(request):
    if request.path == "/":
        head = "".join(f"<link rel=alternate type=application/rss+xml href=/f{i}.xml>" for i in range(5_000))
        return Answer(document("x", head))
    if request.path.startswith("/f"):
        items = "".join(f"<item><link>http://127.0.0.1:{request.port}/{request.path}/{i}/{'f' * 500}</link></item>" for i in range(8_000))
        return Answer(f"<rss><channel>{items}</channel></rss>".encode(), headers=(XML,))
    return None


def with_file(name, path, body, kind=TEXT, **options):
    """A site of one page with one long file."""
    made = functools.cache(body)

    @site(name, **{"pages": 10, **options})
    def answer(request):
        if request.path == "/":
            return Answer(document("<p>x"))
        return Answer(made(), headers=(kind,)) if request.path == path else None


with_file("llms-links", "/llms.txt", lambda: ("# T\n> s\n## L\n" + "\n".join(f"- [l](/l{i})" for i in range(40_000))).encode())
with_file("llms-links-long", "/llms.txt", lambda: ("# T\n> s\n## L\n" + "\n".join(f"- [l](/{'l' * 1_900}{i})" for i in range(270))).encode())
with_file("llms-faults", "/llms.txt", lambda: "\n".join(f"# T{i}\n## " for i in range(60_000)).encode())
with_file("security-txt-fields", "/.well-known/security.txt", lambda: "\n".join(f"Field{i}: x\nContact: y{i}\nExpires: z{i}" for i in range(15_000)).encode())
with_file("security-txt-line", "/.well-known/security.txt", lambda: b"Contact: " + b"x" * 500_000)


def with_resources(name, count, markup, body, headers, page_count=10, **options):
    """Pages that load `count` files each: `body(N)` and `headers(N)` are the body and headers of a file."""

    @site(name, **{"pages": page_count, **options})
    def answer(request):
        number = number_of(request.path)
        if number is not None and number < page_count:
            found = "".join(markup(number * count + i) for i in range(count))
            return Answer(document(f"{index(page_count)}<p>x", found) if "stylesheet" in found else document(index(page_count) + found))
        if request.path.startswith("/r/") and request.path[3:].isdigit():
            at = int(request.path[3:])
            sent = body(at)
            return sent if isinstance(sent, Answer) else Answer(sent, headers=tuple(headers(at)))
        return None


def kind(name):
    return lambda at: [("Content-Type", name)]


def script(at):
    return f"<script src=/r/{at}></script>"


def image(at):
    return f"<img alt='' src=/r/{at}>"


with_resources("resources-long-headers", 200, script, lambda at: b"x", lambda at: [("Content-Type", "text/javascript")] + [(f"X-{i}", f"{at}" + "v" * 600) for i in range(180)])
with_resources("scripts-1mb", 200, script, lambda at: b"var a%d = 1;\n" % at * 70_000, kind("text/javascript"))
with_resources("scripts-5mb", 20, script, lambda at: b"x" * (5 * MIB), kind("text/javascript"), 20)
with_resources("scripts-templates", 20, script, lambda at: b"`${" * 350_000, kind("text/javascript"), 5)
with_resources("scripts-regexes", 20, script, lambda at: b"a=/[/(" * 170_000, kind("text/javascript"), 5)
with_resources("scripts-secrets", 20, script, lambda at: "\n".join(f"k='{secret(at, i)}'" for i in range(20_000)).encode(), kind("text/javascript"), 10)
with_resources("images-noise", 200, image, lambda at: random.Random(at).randbytes(20_000), kind("image/png"))
with_resources("images-huge", 200, image, lambda at: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\xff" * 8 + b"\x08\x06\0\0\0" + b"x" * 300_000, kind("image/png"), 5)
with_resources("images-chunks", 50, image, lambda at: b"\x89PNG\r\n\x1a\n" + b"\0\0\0\0tEXt\0\0\0\0" * 80_000, kind("image/png"), 5)
with_resources("images-jpeg-segments", 50, image, lambda at: b"\xff\xd8" + b"\xff\xe0\0\2" * 250_000, kind("image/jpeg"), 5)
with_resources("images-webp-chunks", 50, image, lambda at: b"RIFF\xff\xff\xff\x7fWEBP" + b"VP8 \0\0\0\0" * 125_000, kind("image/webp"), 5)
with_resources("media-types-distinct", 200, image, lambda at: b"<html>x", lambda at: [("Content-Type", f"text/x{at}{'y' * 5_000}")])
with_resources("resources-missing", 200, image, lambda at: Answer(b"", 404), kind("image/png"))
with_resources("resources-redirect", 200, image, lambda at: Answer(b"", 302, (("Location", f"/r/{at + 1_000_000}?{'q' * 1_900}"),)), kind("image/png"))
with_resources("resources-endless", 20, image, lambda at: Answer(iter(lambda: b"x" * 65_536, b""), headers=(("Content-Type", "image/png"),)), kind("image/png"), 5)


@site("manifest-and-icons", pages=50)
def manifest(request):
    number = number_of(request.path)
    if number is None:
        return Answer(b'{"icons":[' + b'{"src":"x"},' * 50_000 + b"{}]}", headers=(("Content-Type", "application/json"),))
    return Answer(document(index(50), "".join(f"<link rel=icon href=/icon{number}x{i}>" for i in range(2_000))), headers=(HTML,))
