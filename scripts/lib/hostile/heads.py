"""Sites whose heads and header fields are long: policies, cookies, canonicals, languages, robots directives."""

from hostile.site import HTML, Answer, document, index, number_of, pages, raw_single, repeated, single, site

MIB = 1024 * 1024


def numbers(most, separator, prefix=""):
    """Numbers from 0, joined, up to this length in bytes."""
    parts, length, at = [], 0, 0
    while length < most:
        part = f"{prefix}{at}"
        parts.append(part)
        length += len(part) + len(separator)
        at += 1
    return separator.join(parts)


def policy_in_meta(policy):
    return f'<meta http-equiv=Content-Security-Policy content="{policy}">'


def unknown_directives(count):
    return document("<p>x", policy_in_meta(";".join(str(number) for number in range(count))))


raw_single("csp-directives", lambda: unknown_directives(1_660_000)[: 10 * MIB])
raw_single("csp-directives-250000", lambda: unknown_directives(250_000))
single("csp-directive-long", "<p>x", lambda: policy_in_meta("a" * (9 * MIB) + ";" + "b" * 1000))
single("csp-values", "<p>x", lambda: policy_in_meta("script-src " + numbers(9 * MIB, " ", "h")))
single("csp-value-long", "<p>x", lambda: policy_in_meta("script-src 'self' “" + "x" * (9 * MIB)))
single("csp-values-quoted-badly", "<p>x", lambda: policy_in_meta("script-src " + numbers(9 * MIB, " ", "”")))
single("csp-repeated", "<p>x", lambda: policy_in_meta("img-src a;" * 900_000))
pages("csp-metas", 100, lambda n: "<p>x", lambda n: "".join(policy_in_meta(f"d{n}x{i} a;script-src http://h{n}.{i}") for i in range(1_000)))
repeated("csp-pages", 500, 1, lambda n, i: "<p>x", lambda n: policy_in_meta(";".join(f"p{n}d{i}" for i in range(5_000))))
pages("csp-headers", 1_000, lambda n: "<p>x", headers=lambda n: [("Content-Security-Policy", ",".join(f"p{n}d{i}" for i in range(9_000))[:100_000])])

single("meta-robots-tokens", "<p>x", lambda: f'<meta name=robots content="{"a," * (4 * MIB)}">')
single("meta-robots-token-long", "<p>x", lambda: f'<meta name=robots content="{"noindex" * MIB}">')
pages("meta-robots-pages", 200, lambda n: "<p>x", lambda n: f'<meta name=robots content="{",".join(f"max-snippet:{n}{i},index,noindex" for i in range(5_000))}">')
pages("x-robots-tag", 1_000, lambda n: "<p>x", headers=lambda n: [("X-Robots-Tag", ",".join(f"t{n}x{i}" for i in range(12_000))[:100_000])])


def many_links(count, make):
    return "".join(make(at) for at in range(count))


single("canonical-many", "<p>x", lambda: many_links(250_000, lambda i: f"<link rel=canonical href=/c{i}>"))
single("canonical-long-base", "<p>x", lambda: f"<base href='/{'b' * 2000}/'>" + many_links(250_000, lambda i: f"<link rel=canonical href={i}>"))
pages("canonical-pages", 500, lambda n: "<p>x", lambda n: many_links(20, lambda i: f"<link rel=canonical href='/c{n}/{i}/{'c' * 1_900}'>"))
pages("canonical-headers", 500, lambda n: "<p>x", headers=lambda n: [("Link", ", ".join(f'</c{n}/{i}>; rel="canonical"' for i in range(3_000)))])
pages("alternates-headers", 500, lambda n: "<p>x", headers=lambda n: [("Link", ", ".join(f'</a{n}/{i}>; rel="alternate"; hreflang="q{i}"' for i in range(2_000)))])


def alternates(number, count, code, address):
    return "".join(f'<link rel=alternate hreflang="{code(i)}" href="{address(number, i)}">' for i in range(count))


pages("hreflang-invalid-12000", 1_000, lambda n: "<p>x", lambda n: alternates(n, 12_000, lambda i: f"zz{n}_{i}", lambda n, i: f"/l{i}"))
pages("hreflang-invalid-1500", 1_000, lambda n: "<p>x", lambda n: alternates(n, 1_500, lambda i: f"zz{n}_{i}", lambda n, i: f"/l{i}"))
pages("hreflang-codes-long", 50, lambda n: "<p>x", lambda n: alternates(n, 90, lambda i: f"q{n}{i}" + "z" * 100_000, lambda n, i: f"/l{i}"))
pages("hreflang-addresses-long", 1_000, lambda n: "<p>x", lambda n: alternates(n, 499, lambda i: f"en-{i % 26 + 10}", lambda n, i: f"/l{n}/{i}/{'l' * 1_900}"))


def language(i):
    """A code of three letters, a script and a region: hundreds of thousands of well-formed language tags."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return f"{letters[i % 26]}{letters[i // 26 % 26]}{letters[i // 676 % 26]}-L{letters[i // 17576 % 26]}tn-DE"


pages("hreflang-mesh", 499, lambda n: "<p>x", lambda n: alternates(n, 499, lambda i: language(i), lambda n, i: f"/p/{i}" if i else "/"))
pages("hreflang-mesh-without-return", 499, lambda n: "<p>x", lambda n: alternates(n, 499, lambda i: language(n * 499 + i), lambda n, i: f"/p/{(n * 7 + i) % 498 + 1}"))
pages("hreflang-to-errors", 300, lambda n: "<p>x", lambda n: alternates(n, 400, lambda i: language(n * 400 + i), lambda n, i: f"/gone/{i}"))

pages("cookies-many", 1_000, lambda n: "<p>x", headers=lambda n: [("Set-Cookie", f"c{n}x{i}={'v' * 400}; SameSite=None") for i in range(180)])
pages("cookies-long", 1_000, lambda n: "<p>x", headers=lambda n: [("Set-Cookie", f"c{n}={'v' * 110_000}")])
pages("cookies-prefixed", 1_000, lambda n: "<p>x", headers=lambda n: [("Set-Cookie", f"__Host-{n}x{i}={'v' * 200}; Domain=a.b; Path=/x") for i in range(150)])
pages("headers-large", 1_000, lambda n: "<p>x", headers=lambda n: [(f"X-H{n}-{i}", "v" * 550) for i in range(180)])
pages("headers-kept", 1_000, lambda n: "<p>x", headers=lambda n: [("Permissions-Policy", f"p{n}=(" + "x " * 20_000), ("Vary", f"v{n}," * 5_000), ("Cache-Control", f"c{n}=1," * 3_000)])
pages("hsts-junk", 500, lambda n: "<p>x", headers=lambda n: [("Strict-Transport-Security", f"max-age={n};" + ";".join(f"d{n}x{i}" for i in range(8_000)))], tls=True)
pages("referrer-policies", 1_000, lambda n: "<p>x", headers=lambda n: [("Referrer-Policy", f"unsafe-url,{'p' * 50_000}{n},unsafe-url")])
pages("server-versions", 1_000, lambda n: "<p>x", headers=lambda n: [("Server", f"Hostile/{n}.1 {'(x) ' * 10_000}"), ("X-Powered-By", f"PHP/{n}.{'1.' * 10_000}")])
pages("media-types", 300, lambda n: "<p>x", headers=lambda n: [("Content-Type", "text/html; " + ";".join(f"p{n}x{i}=1" for i in range(8_000)))])


@site("header-fields-10000", pages=20)
def header_fields(request):
    if number_of(request.path) is None:
        return None
    fields = tuple((f"X-{number}", "v") for number in range(10_000))
    return Answer(document(index(20)), headers=(HTML, *fields))


def endless_field(_):
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Long: "
    for _ in range(64):
        yield b"x" * MIB


site("header-field-endless", pages=20)(lambda request: Answer(endless_field(request), raw=True))


@site("cors-origins", pages=300)
def origins(request):
    number = number_of(request.path)
    if number is None:
        return None
    origin = request.headers.get("origin", "") + "x" * 50_000
    fields = (("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"))
    return Answer(document(index(300) if number == 0 else "x"), headers=(HTML, *fields))


single("title-1mb", "<p>x", lambda: "<title>" + "Title " * 170_000)
pages("titles-long", 500, lambda n: "<p>x", lambda n: f"<title>{n}" + "𝕏" * 50_000 + "</title>" + f'<meta name=description content="{n}{"𝔻" * 50_000}">')
single("titles-many", "<p>x", lambda: "".join(f"<title>t{number}</title>" for number in range(250_000)))
single("descriptions-many", "<p>x", lambda: "".join(f'<meta name=description content="d{number}">' for number in range(200_000)))
single("viewport-properties", "<p>x", lambda: f'<meta name=viewport content="{numbers(9 * MIB, ",", "p=")}">')
single("refresh-long", "<p>x", lambda: f'<meta http-equiv=refresh content="0;url=/{"r" * (9 * MIB)}">')
repeated("refresh-pages", 500, 200, lambda n, i: f'<meta http-equiv=refresh content="{i + 1};url=/r{n}/{i}">')
repeated("og-properties", 200, 5_000, lambda n, i: f'<meta property="og:p{n}x{i}" content="c">')
pages("og-images", 300, lambda n: "<p>x", lambda n: "".join(f'<meta property="og:image" content="/og/{n}/{i}/{"o" * 1_500}">' for i in range(1_000)))
pages("twitter-cards", 300, lambda n: "<p>x", lambda n: "".join(f'<meta name="twitter:c{n}x{i}" content="c{i}">' for i in range(5_000)))
single("base-changes", lambda: "".join(f"<base href=/b{i}/><a href=l{i}>l</a>" for i in range(120_000)))
single("base-long-links", lambda: "".join(f"<a href={i}>l</a>" for i in range(240_000)), lambda: f"<base href='/{'b' * 2000}/'>")
single("base-long-images", lambda: "".join(f"<img src={i}>" for i in range(400_000)), lambda: f"<base href='/{'b' * 2000}/'>")
single("icons-many", "<p>x", lambda: many_links(150_000, lambda i: f"<link rel='icon manifest preload' as=font href=/i{i}>"))
single("preloads-long-base", "<p>x", lambda: f"<base href='/{'b' * 2000}/'>" + many_links(200_000, lambda i: f"<link rel=preload as=font href=f{i}>"))
single("html-attributes-merged", lambda: "".join(f"<html a{i}=v><body b{i}=v>" for i in range(250_000)))
