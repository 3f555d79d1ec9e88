"""Documents that are hard to parse, to decode or to read as text."""

import gzip
import random

from hostile.site import Answer, document, pages, raw_single, repeated, single, site, words

MIB = 1024 * 1024


def of(text):
    """A document with about this amount of markup, at most ten MiB."""
    return lambda: document(text()[: 10 * MIB - 200])


def reconstructed(formatting, times):
    """Formatting elements whose block ends before them: each text opens all of them again."""
    return "<div>" + "".join(f"<b a={i}>" for i in range(formatting)) + "</div>" + "<div>x</div>" * times


raw_single("formatting-nested-41k", lambda: document(reconstructed(1_900, 2_000)))
raw_single("formatting-nested-pages", lambda: document(reconstructed(1_900, 500_000)))
raw_single("formatting-in-tables", lambda: document("<table><b><i><u><em><font size=1>" * 8_000))
raw_single("formatting-nested-1mb", lambda: document(("<b><i><p>" * 120_000)[:MIB]))
raw_single("formatting-1500", lambda: document("".join(f"<b a{i}>" for i in range(1_500)) + "<b x></b>" * (MIB // 9)))
raw_single("formatting-adopted", lambda: document("".join(f"<a{i % 9} x><b y{i}>" for i in range(30_000)) + "<p></b>" * 60_000))
raw_single("template-formatting", lambda: document("<template>" + reconstructed(50_000, 30_000)))
raw_single("template-formatting-distinct", lambda: document("".join(f"<template><b a{i}>" for i in range(30_000)) + "".join(f"<b a{i}>" for i in range(45_000))))
raw_single("template-formatting-nested", lambda: document(("<template>" + "".join(f"<b a{i}>" for i in range(90)) + "<p>x") * 900))
raw_single("template-in-tables", lambda: document("<template><table><tr><td>" * 30_000 + "<b>x" * 20_000))
raw_single("template-nested", lambda: document("<template>" * 500_000))
raw_single("template-depth", lambda: document("<template><div>" * 300_000))
raw_single("template-nodes", lambda: document("<template>" + "<i>x</i>" * 1_200_000 + "</template>"))
raw_single("shadow-roots", lambda: document("<div><template shadowrootmode=open><slot></slot>" * 150_000))
raw_single("attribute-guard-end-tag", lambda: document("</p " + " ".join(f"a{i}" for i in range(150_000)) + ">"))
raw_single("attribute-guard-svg-title", lambda: document("<svg><title>" + "<p " + " ".join(f"a{i}" for i in range(150_000)) + ">"))
raw_single("attribute-guard-cdata", lambda: document("<svg><![CDATA[<!--]]>" + "<p " + " ".join(f"a{i}" for i in range(150_000)) + ">"))
raw_single("attribute-guard-declaration", lambda: document("<!x<!-- >" + "<p " + " ".join(f"a{i}" for i in range(150_000)) + ">"))
raw_single("attributes-1900", lambda: document("".join("<p " + " ".join(f"a{t}x{i}" for i in range(1_900)) + ">" for t in range(500))))
raw_single("attributes-distinct", lambda: document("".join(f"<p a{i}b c{i}d e{i}f>" for i in range(280_000))))
raw_single("attribute-10mb", lambda: document(f"<p title='{'t' * (9 * MIB)}'>x"))
raw_single("attribute-names-long", lambda: document("".join(f"<p {'a' * 100_000}{i}>" for i in range(90))))
raw_single("elements-500000", lambda: document("<p>" * 3_000_000))
raw_single("elements-distinct", lambda: document("".join(f"<e{i}>" for i in range(1_200_000))))
raw_single("element-names-long", lambda: document("".join(f"<{'x' * 100_000}{i}-y><img src=a>" for i in range(90))))
raw_single("depth-512", lambda: document("<div>" * 2_000_000))
raw_single("depth-and-width", lambda: document(("<div>" * 505 + "<img src=a>" * 2_000 + "</div>" * 505) * 350))
raw_single("subtrees-moved", lambda: document("<table><tr><td>" + ("<div>" * 400 + "<table><div>") * 1_200))
raw_single("foster-parenting", lambda: document("<table>" + "x<b>y<tr>" * 500_000))
raw_single("framesets", lambda: b"<!doctype html><html><frameset>" + b"<frame src=a><frameset>" * 300_000)
raw_single("selects-nested", lambda: document("<select><option><select><optgroup>" * 200_000))
raw_single("tables-nested", lambda: document("<table><tr><td>" * 300_000))
raw_single("table-cells", lambda: document("<table>" + ("<tr>" + "<td>" * 500) * 900))
raw_single("svg-nested", lambda: document("<svg><foreignObject><math><mtext>" * 200_000))
raw_single("svg-breakout", lambda: document("<svg><g><g><p>" * 500_000))
raw_single("comments-many", lambda: document("<!--x-->" * 1_200_000))
raw_single("comment-10mb", lambda: document("<!--" + "-!" * (5 * MIB)))
raw_single("comment-openings", lambda: document("<!-- <!" * 1_300_000))
raw_single("entities", lambda: document("&CounterClockwiseContourIntegral;" * 300_000))
raw_single("entities-unknown", lambda: document("&CounterClockwiseContourIntegralx" * 300_000))
raw_single("entities-numeric", lambda: document("&#x1F4A9;" * 1_000_000))
raw_single("scripts-escaped", lambda: document("<script><!--<script>" * 500_000))
raw_single("scripts-many", lambda: document("<script>x()</script>" * 500_000))
raw_single("plaintext", lambda: document("<plaintext>" + "</plaintext>" * 800_000))
raw_single("doctypes", lambda: b'<!doctype html PUBLIC "x" "y">' * 330_000)
raw_single("nul-characters", lambda: document("\0" * (9 * MIB)))
raw_single("errors-many", lambda: document("</x><p =/></br/>" * 600_000))
raw_single("lines-10m", lambda: document("\n" * (9 * MIB) + "<img src=a>" * 1_000))
raw_single("line-10mb", lambda: document("<p>x</b></i>" * 800_000))
raw_single("id-5mb", lambda: document(f"<div id={'i' * (5 * MIB)}>" + "<img src=a><a href=x></a>" * 150_000))
raw_single("ids-long", lambda: document("".join(f"<div id={'i' * 50_000}{n}>" + "<img src=a>" * 100 + "</div>" for n in range(180))))

raw_single("text-one-word", lambda: document("<p>" + "a" * (9 * MIB)))
raw_single("text-words", lambda: document("<p>" + words(1, 1_300_000)))
raw_single("text-bidi", lambda: document("<p>" + "\u202e\u2066x\u2069" * 900_000))
raw_single("text-combining", lambda: document("<p>" + "a" + "\u0301\u0327" * (2 * MIB)))
raw_single("text-spaces", lambda: document("<p>" + "a \u3000\u00a0\n" * 1_300_000))
raw_single("text-blocks", lambda: document("<p>a b c. " * 1_000_000))
raw_single("text-mojibake", lambda: document("<p>" + "Ã¤Ã¶Ã¼â‚¬â€œ " * 400_000))
raw_single("text-lorem", lambda: document("<p>Lorem ipsum dolor sit amet, consectetur. TODO: your text here. " * 140_000))
raw_single("text-scripts-mixed", lambda: document("<p>" + "слово 単語 λέξη كلمة word " * 180_000))
raw_single("text-in-inline", lambda: document("<p>" + "<span>a</span>" * 700_000))
raw_single("anchors-1mb-text", lambda: document("".join(f"<a href=/l{i}>{'t' * MIB}</a>" for i in range(9))))
raw_single("headings-1mb-text", lambda: document("".join(f"<h{i % 6 + 1}>{'h' * MIB}</h{i % 6 + 1}>" for i in range(9))))
pages("text-near-duplicates", 1_000, lambda n: f"<main><p>{words(1, 4_000)} {words(n, 40)}</main>")
pages("text-exact-duplicates", 1_000, lambda n: f"<main><p>{words(1, 4_000)}</main>")
pages("text-short-duplicates", 1_000, lambda n: f"<main><p>{words(n // 2, 80)}</main>", lambda n: f"<meta name=description content='{'d' * 2_000}{n // 2}'>")
pages("text-languages", 500, lambda n: f"<p lang='q{n}'>" + "Das ist nicht die Sprache, die sie nennt. " * 4_000)
pages("text-1mb-pages", 300, lambda n: f"<main>{words(n, 100_000)}</main>")


def encoded(name, charset, bytes_of, label=None):
    """A page in an encoding that its header declares."""

    @site(name, pages=10)
    def answer(request):
        kind = ("Content-Type", f"text/html; charset={label or charset}")
        return Answer(bytes_of(), headers=(kind,)) if request.path == "/" else None


def latin(count):
    return "<!doctype html><title>x</title><p>" + "Größe " * count


encoded("charset-utf16", "utf-16le", lambda: latin(700_000).encode("utf-16-le"))
encoded("charset-utf16-broken", "utf-16be", lambda: b"\xd8\x00" * (5 * MIB))
encoded("charset-iso2022", "iso-2022-jp", lambda: b"\x1b$B\x1b(B" * (MIB + MIB // 3))
encoded("charset-gb18030", "gb18030", lambda: b"\x81\x30\x81\x30" * (2 * MIB))
encoded("charset-windows-1252", "windows-1252", lambda: b"\x80" * (9 * MIB))
encoded("charset-ebcdic", "ibm037", lambda: latin(1_000_000).encode("cp1140", "replace"))
encoded("charset-utf7", "utf-7", lambda: b"+ADw-script+AD4-" * 600_000)
encoded("charset-broken-utf8", "utf-8", lambda: b"<!doctype html><p>" + b"\xf0\x9f\x92" * (3 * MIB))
encoded("charset-label-long", "utf-8", lambda: latin(1_000).encode(), "x" * 100_000)


def bomb(name, times):
    """A page that was compressed several times."""

    @site(name, pages=10)
    def answer(request):
        if request.path != "/":
            return None
        body = gzip.compress(b"<p>" + b"x" * (100 * MIB), 9)
        for _ in range(times - 1):
            body = gzip.compress(body, 9)
        return Answer(body, headers=(("Content-Type", "text/html"), ("Content-Encoding", ", ".join(["gzip"] * times))))


bomb("gzip-bomb", 1)
bomb("gzip-bomb-twice", 2)
bomb("gzip-bomb-ten-times", 10)


@site("gzip-members", pages=10)
def members(request):
    body = gzip.compress(b"<p>x", 9) * 100_000
    return Answer(body, headers=(("Content-Type", "text/html"), ("Content-Encoding", "gzip"))) if request.path == "/" else None


@site("gzip-noise", pages=300)
def noise(request):
    """Random bytes that are declared as compressed."""
    chance = random.Random(request.target)
    links = "".join(f"<a href=/n{chance.randrange(10**9)}>x</a>" for _ in range(20)).encode()
    if request.path == "/":
        return Answer(document(links))
    return Answer(chance.randbytes(200_000), headers=(("Content-Type", "text/html"), ("Content-Encoding", "gzip")))


repeated("srcdoc-frames", 100, 1_000, lambda n, i: f"<iframe srcdoc='&lt;p&gt;{n} {i}&lt;img src=a&gt;'></iframe>")
single("srcdoc-nested", lambda: "<iframe srcdoc='" * 200_000)
single("data-urls-1mb", lambda: "".join(f"<img src='data:image/png;base64,{'A' * MIB}{i}'>" for i in range(9)))
single("data-urls-many", lambda: "".join(f"<img src=data:,{i}><a href=data:,{i}>x</a>" for i in range(160_000)))
