"""Sites with an infinite number of URLs: links, crawl traps, redirects, errors."""

import hashlib

from hostile.site import HTML, Answer, document, index, number_of, pages, repeated, single, site, words


def digest(text):
    return hashlib.md5(text.encode()).hexdigest()


pages("links-long", 300, lambda n: "".join(f"<a href='/l{n}/{i}/{'l' * 1_900}'>x</a>" for i in range(1_000)))
pages("links-long-queries", 300, lambda n: "".join(f"<a href='/?q={n}x{i}{'q' * 1_900}'>x</a>" for i in range(1_000)))
pages("links-too-long", 300, lambda n: "".join(f"<a href='/l{n}/{i}/{'l' * 3_000}'>x</a>" for i in range(1_000)))
repeated("links-50000", 300, 45_000, lambda n, i: f"<a href=/q/{i}>x</a>")
repeated("links-distinct", 100, 45_000, lambda n, i: f"<a href=/d{n}/{i}>x</a>")
repeated("links-all-pages", 1_000, 999, lambda n, i: f"<a href=/p/{i + 1}>x</a>")
repeated("links-lines", 300, 20_000, lambda n, i: f"<a href=/p/{i % 299 + 1}#l{i}>\n</a>")
single("links-external-100000", lambda: "".join(f"<a href=http://127.{i // 62_500 + 1}.{i // 250 % 250}.{i % 250 + 1}:1/x>e</a>" for i in range(100_000)))
pages("links-external-long", 300, lambda n: "".join(f"<a href='http://127.9.9.9/e{n}/{i}/{'e' * 1_900}'>x</a>" for i in range(1_000)))
repeated("links-broken", 300, 3_000, lambda n, i: f"<a href=/gone/{(n * 31 + i) % 9_000}>x</a>")
repeated("link-place-names", 300, 5_000, lambda n, i: f"<a name=a{n}x{i} href=/p/{(n + i) % 299}#a{i}>x</a>")


def endless(name, make, **options):
    """A site where every URL is a page with the body `make(REQUEST)`."""

    @site(name, **{"pages": 1_000, **options})
    def answer(request):
        if request.path == "/robots.txt":
            return None
        body = make(request)
        return body if isinstance(body, Answer) else Answer(document(body, title=f"At {request.target[:200]}"))


def links(*targets):
    return "".join(f"<a href='{target}'>{at}</a> " for at, target in enumerate(targets))


def folder(request):
    return request.path.rstrip("/")


endless("trap-calendar", lambda r: f"<h1>{r.target}</h1>" + links(*(f"/calendar?day={digest(r.target + str(i))}" for i in range(200))))
endless("trap-sessions", lambda r: links(*(f"{r.path}?sid={digest(r.target + str(i))}" for i in range(20)), *(f"/s{i};jsessionid={digest(r.target)}" for i in range(500))))
endless("trap-facets", lambda r: links(*(f"/f?{'&'.join(f'c{k}={(i >> k) & 1}' for k in range(16))}&x={digest(r.target)[:4]}" for i in range(300))))
endless("trap-depth", lambda r: links(*(f"{folder(r)}/{i}" for i in range(20))))
endless("trap-repeated", lambda r: links(f"{folder(r)}/a/b", f"{folder(r)}/b/a", "/a/b/a/b"))
endless("trap-folders", lambda r: words(r.target, 60) + links(*(f"/{digest(r.target + str(i))}/" for i in range(500))))
endless("trap-same-pages", lambda r: "<main>Always the same words stand on this page of the site.</main>" + links("next", "../x", *(f"?n={digest(r.target + str(i))}" for i in range(50))))
endless("trap-paths-with-queries", lambda r: links(*(f"/{digest(r.target + str(i))}?q={'q' * 1_500}" for i in range(500))))
endless("trap-names", lambda r: words(r.target, 60) + links(*(f"/{'n' * 1_900}{digest(r.target + str(i))}" for i in range(500))))
endless("trap-words", lambda r: f"<h1>{words(r.target, 9)}</h1><main>{words(r.target, 900)}</main>" + links(*(f"/w/{digest(r.target + str(i))}" for i in range(30))))
endless("soft-404", lambda r: "<h1>Page not found</h1><p>Sorry, this page does not exist.</p>" + links(*(f"/m/{digest(r.target + str(i))}" for i in range(30))))


def redirecting(name, target, per_page=1_000, status=302, **options):
    """Pages with links that redirect to `target(PATH)`."""

    @site(name, **{"pages": 20, **options})
    def answer(request):
        number = number_of(request.path)
        if number is not None and number < 20:
            return Answer(document(index(20) + links(*(f"/to/{number}/{i}" for i in range(per_page)))))
        if request.path.startswith("/to/"):
            return Answer(b"", status, (HTML, ("Location", target(request))))
        return None


redirecting("redirects-without-end", lambda r: f"/to/{digest(r.target)}")
redirecting("redirects-loops", lambda r: r.path[:-1] if len(r.path) > 9 else r.path + "0")
redirecting("redirects-long", lambda r: f"/to/{digest(r.target)}/{'t' * 1_900}")
redirecting("redirects-longer", lambda r: f"/to/{'t' * 100_000}")
redirecting("redirects-to-hosts", lambda r: f"http://127.{len(r.path)}.{int(digest(r.target)[:2], 16)}.9/x")
redirecting("redirects-to-start", lambda r: "/", 5_000)
redirecting("redirects-junk", lambda r: "http://[" + digest(r.target))


@site("errors-client", pages=300)
def client_errors(request):
    """Every second page is a different error."""
    number = number_of(request.path)
    if number is None:
        return Answer(b"", 400 + len(request.path) % 90)
    if number % 2:
        return Answer(document("x"), 400 + number % 90 if number % 90 != 29 else 418)
    return Answer(document(index(1_500) + links(*(f"/e/{number}/{i}" for i in range(100)))))


@site("errors-server", pages=100)
def server_errors(request):
    number = number_of(request.path)
    if number is None:
        return None
    return Answer(document("x"), 500) if number % 2 else Answer(document(index(200)))


@site("types-of-pages", pages=500)
def other_types(request):
    """Links to resources that are not pages, each of a different type."""
    number = number_of(request.path)
    if number is None:
        return Answer(b"x", headers=(("Content-Type", f"application/x{digest(request.path)}{'t' * 50_000}"),))
    return Answer(document(index(30) + links(*(f"/f{number}/{i}" for i in range(200)))))


@site("hosts-many", pages=1_000, hosts=True)
def other_hosts(request):
    """Every address of the network responds, and links a thousand others."""
    if request.path == "/robots.txt":
        return Answer(b"User-agent: *\n" + b"Disallow: /x*y\n" * 30_000, headers=(("Content-Type", "text/plain"),))
    number = number_of(request.path)
    if number is None:
        return None
    found = (f"http://127.{i // 250 + 1}.{number % 250}.{i % 250 + 1}:{request.port}/p/{i}" for i in range(1_000))
    return Answer(document(index(300) + links(*found)))


@site("resources-of-hosts", pages=50, hosts=True)
def resources_of_hosts(request):
    number = number_of(request.path)
    if number is None:
        return Answer(b"x", headers=(("Content-Type", "text/javascript"),))
    found = (f"http://127.{i // 250 + 1}.{number}.{i % 250 + 1}:{request.port}/r{i}.js" for i in range(2_000))
    return Answer(document(index(50) + "".join(f"<script src={address}></script>" for address in found)))
