"""Sites on whose pages many elements fail a check, each in its own way."""

import base64
import hashlib
import json
import string

from hostile.site import document, pages, raw_single, repeated, single, words

MIB = 1024 * 1024

# Of the trial that led to these tests.
repeated("fragments-missing", 200, 20_000, lambda n, i: f"<a href=#f{n}x{i}>a</a>")
repeated("scripts-http", 200, 3_000, lambda n, i: f"<script src=http://127.9.9.9/s{n}/{i}.js></script>")
repeated("aria-attributes-invalid", 200, 3_000, lambda n, i: f"<p aria-x{n}y{i}=v>x</p>")

# Accessibility.
repeated("images-without-alt", 100, 10_000, lambda n, i: f"<img src=/i/{n}/{i}.png>")
single("images-500000", lambda: "<img src=a>" * 850_000)
single("images-in-deep-names", lambda: "<x-" + "e" * 90 + ">" + ("<x-" + "d" * 60 + ">") * 480 + "<img src=a>" * 100_000)
repeated("inputs-without-label", 100, 10_000, lambda n, i: f"<input name=n{n}x{i}>")
repeated("inputs-of-images", 60, 10_000, lambda n, i: f"<input type=image src=/i{n}/{i}>")
repeated("inputs-of-buttons", 60, 10_000, lambda n, i: f"<input type=button id=b{n}x{i} value=''>")
repeated("inputs-autocomplete", 60, 10_000, lambda n, i: f"<input autocomplete='x{n} y{i}' aria-label=l>")
repeated("selects-without-label", 60, 8_000, lambda n, i: f"<select name=s{n}x{i}><option>o</select>")
repeated("buttons-empty", 60, 10_000, lambda n, i: f"<button id=b{n}x{i}></button>")
repeated("links-empty", 60, 10_000, lambda n, i: f"<a href=/l{i}></a>")
repeated("links-generic", 60, 10_000, lambda n, i: f"<a href=/l{i}>click here</a>")
repeated("frames-without-title", 60, 10_000, lambda n, i: f"<iframe src=/f{n}/{i}></iframe>")
repeated("areas-without-alt", 60, 10_000, lambda n, i: f"<map name=m{i}><area href=/a{i}></map><img alt=x usemap=#m{i} src=a>")
repeated("objects-without-text", 60, 10_000, lambda n, i: f"<object data=/o{n}/{i}></object>")
repeated("videos-without-captions", 60, 8_000, lambda n, i: f"<video src=/v{n}/{i} poster=/p{n}/{i}></video>")
repeated("svg-images", 60, 10_000, lambda n, i: f"<svg role=img id=s{n}x{i}></svg>")
repeated("headings-skipped", 60, 10_000, lambda n, i: f"<h{i * 5 % 6 + 1}>h{n} {i}</h{i * 5 % 6 + 1}>")
repeated("headings-empty", 60, 10_000, lambda n, i: f"<h2 id=h{n}x{i}></h2>")
repeated("tabindex", 60, 10_000, lambda n, i: f"<p tabindex={i + 1}>x</p>")
repeated("languages-unknown", 60, 10_000, lambda n, i: f"<p lang=q{n}x{i}>x</p>")
repeated("roles-unknown", 60, 10_000, lambda n, i: f"<p role=r{n}x{i}>x</p>")
repeated("aria-values-invalid", 60, 10_000, lambda n, i: f"<p role=checkbox aria-checked=v{n}x{i} aria-label=l>x</p>")
repeated("aria-not-allowed", 60, 10_000, lambda n, i: f"<p aria-checked=true aria-level={i} id=p{n}x{i}>x</p>")
repeated("aria-required-missing", 60, 10_000, lambda n, i: f"<p role=slider id=s{n}x{i}>x</p>")
repeated("aria-children-missing", 60, 8_000, lambda n, i: f"<div role=list id=l{n}x{i}><div role=row>x</div></div>")
repeated("aria-widgets-unnamed", 60, 10_000, lambda n, i: f"<div role=switch aria-checked=true id=w{n}x{i}></div>")
repeated("aria-hidden-focus", 60, 8_000, lambda n, i: f"<div aria-hidden=true><a href=/l{i}>x</a></div>")
repeated("interactive-nested", 60, 8_000, lambda n, i: f"<button id=b{n}x{i}>x<span role=link tabindex=0>y</span></button>")
repeated("lists-broken", 60, 8_000, lambda n, i: f"<ul id=u{n}x{i}><p>x</p></ul><dl><p>y</p></dl>")
repeated("spacing-inline", 60, 8_000, lambda n, i: f"<p style='letter-spacing:{i}px!important;line-height:{n}px!important;word-spacing:1px!important'>x y</p>")
repeated("contrast-inline", 40, 8_000, lambda n, i: f"<p style='color:#{i % 4096:03x};background:#{(i + n) % 4096:03x}'>x y</p>")
repeated("mains-many", 60, 8_000, lambda n, i: f"<main id=m{n}x{i}>x</main>")
repeated("skip-links", 60, 8_000, lambda n, i: f"<a href=#s{n}x{i}>Skip to content</a>")
repeated("ids-duplicate", 60, 5_000, lambda n, i: f"<p id=d{n}x{i}>x<p id=d{n}x{i}><label for=d{n}x{i}>y</label>")
repeated("labels-duplicate", 60, 5_000, lambda n, i: f"<label for=l{n}x{i}>a</label><label for=l{n}x{i}>b</label><input id=l{n}x{i}>")
single("labels-of-one-field", lambda: "<label for=x>l</label>" * 400_000 + "<input id=x>")
single("id-of-all", lambda: "<a id=x href=#x>a</a>" * 400_000)
single("ids-distinct", lambda: "".join(f"<p id=i{i}>" for i in range(450_000)))
pages("ids-pages", 1_000, lambda n: "".join(f"<p id=i{n}x{i}>" for i in range(19_000)))
single("names-by-reference", lambda: f"<p id=x>{'n ' * 1_000}</p>" + "<a href=/l aria-labelledby=x></a>" * 240_000)
single("names-by-many-references", lambda: "".join(f"<p id=i{i} aria-labelledby='{' '.join(f'i{(i * 7 + k) % 5_000}' for k in range(150))}'>n" for i in range(5_000)))
single("owns-mesh", lambda: "".join(f"<div role=list id=o{i} aria-owns='{' '.join(f'o{(i * 13 + k) % 4_000}' for k in range(200))}'></div>" for i in range(4_000)))
single("owns-chain", lambda: "".join(f"<div role=list id=o{i} aria-owns=o{i + 1}></div>" for i in range(200_000)))
repeated("tables-without-headers", 40, 3_000, lambda n, i: f"<table id=t{n}x{i}><tr><td>a<td>b<tr><td>c<td>d</table>")
single("table-spans", lambda: "<table>" + "<tr><th rowspan=65534 colspan=1000>h<td rowspan=65534 colspan=1000>d" * 60_000)
single("table-headers-by-id", lambda: "<table>" + "".join(f"<tr><td headers='{' '.join(f'h{(i + k) % 999}' for k in range(60))}'>d" for i in range(28_000)))

# Content and markup.
repeated("attributes-duplicate", 60, 8_000, lambda n, i: f"<p a=1 a=2 id=p{n}x{i}>x</p>")
repeated("links-nested", 60, 8_000, lambda n, i: f"<a href=/a{i}>x<a href=/b{i}>y</a></a>")
repeated("tags-misnested", 60, 8_000, lambda n, i: f"<b><i>x{n}</b></i>\n")
repeated("tags-unclosed", 60, 8_000, lambda n, i: f"<div><span>x{i}</div>\n")
repeated("placeholders", 100, 2_000, lambda n, i: f"<p>Lorem ipsum dolor sit amet {n} {i} TODO lorem ipsum</p><h2>Your title here {i}</h2>")

# Search engines.
repeated("forms-credentials", 60, 5_000, lambda n, i: f"<form action=/f{n}/{i} method=get><input type=password></form>")
repeated("forms-insecure", 60, 5_000, lambda n, i: f"<form action=http://10.9.9.9/f{n}/{i} method=post><input name=x></form>", tls=True)
repeated("mixed-content-active", 60, 5_000, lambda n, i: f"<script src=http://10.9.9.9/s{n}/{i}></script><iframe src=http://10.9.9.9/f{n}/{i}></iframe>", tls=True)
pages("mixed-content-srcset", 60, lambda n: f"<img alt='' srcset='{', '.join(f'http://10.9.9.9/{n}/{i} {i + 1}w' for i in range(30_000))}'>", tls=True)
repeated("links-to-http", 60, 10_000, lambda n, i: f"<a href=http://127.{n}.{i // 250}.{i % 250 + 1}/>x</a>", tls=True)
repeated("links-local", 100, 10_000, lambda n, i: f"<a href=http://10.{n}.{i // 250}.{i % 250 + 1}:{i % 60_000 + 1}/>x</a>")
repeated("links-tracking", 100, 10_000, lambda n, i: f"<a href='/l?utm_{n}x{i}=1&fbclid={i}'>x</a>")
repeated("links-nofollow", 60, 10_000, lambda n, i: f"<a rel=nofollow href=/n{n}/{i}>x</a>")
repeated("links-invalid", 60, 10_000, lambda n, i: f"<a href='http://[{n}:{i}'>x</a>")
repeated("links-not-crawlable", 60, 10_000, lambda n, i: f"<a onclick=go({i}) href='javascript:go({n})'>x</a>")
single("fragment-10mb", lambda: f"<a href='#{'f' * (9 * MIB)}'>a</a>")
single("fragments-long", lambda: "".join(f"<a href='#{'f' * 2_000}{i}'>a</a>" for i in range(4_800)))
pages("fragments-long-pages", 300, lambda n: "".join(f"<a href='/#{'f' * 1_900}{n}x{i}'>a</a>" for i in range(1_000)))
single("parameter-name-long", lambda: "".join(f"<a href='/l?utm_{'p' * 100_000}{i}=1'>a</a>" for i in range(90)))
single("aria-attribute-long", lambda: f"<p aria-{'a' * (9 * MIB)}=v>x")

# Resources as pages name them.
repeated("scripts-of-others", 100, 5_000, lambda n, i: f"<script src=http://127.9.{n}.9/s{i}.js></script>")
pages("scripts-in-head", 200, lambda n: "<p>x", lambda n: "".join(f"<script src=/s{n}/{i}.js></script>" for i in range(3_000)))
pages("resources-many", 390, lambda n: "".join(f"<img alt='' src=/i/{n}/{i}/{'r' * 200}><script src=/s/{n}/{i}></script>" for i in range(2_000)))
pages("images-long-addresses", 200, lambda n: "".join(f"<img src='/i/{n}/{i}/{'i' * 1_900}'>" for i in range(2_000)))
single("srcset-candidates", lambda: f"<img alt='' src=a srcset='{', '.join(f'/{i}.png {i + 1}w' for i in range(400_000))}'>")
single("sources-many", lambda: "<picture>" + "".join(f"<source srcset='/{i}.png {i}w'>" for i in range(300_000)) + "<img src=a></picture>")

# Secrets.


def secret(n, i):
    """A different text that looks like an AWS access key for each page and position."""
    return "AKIA" + base64.b32encode(hashlib.sha1(b"%d %d" % (n, i)).digest()).decode()[:16]


repeated("secrets-inline", 40, 5_000, lambda n, i: f"<p>{secret(n, i)}</p>")
single("secrets-in-one-script", lambda: "<script>" + "\n".join(f"k='{secret(0, i)}'" for i in range(250_000)) + "</script>")

# Structured data.
JSON_LD = '<script type="application/ld+json">'


def block(value):
    return JSON_LD + json.dumps(value, separators=(",", ":")) + "</script>"


def product(n, i):
    return {"@context": "https://schema.org", "@type": "Product", "@id": f"#p{n}x{i}", "name": f"n{i}", "offers": {"@type": "Offer", "price": f"x{i}"}}


def jsonld_pages(name, count, make, **options):
    pages(name, count, lambda n: "<p>x", make, **options)


jsonld_pages("jsonld-products", 100, lambda n: block([product(n, i) for i in range(5_000)]))
jsonld_pages("jsonld-blocks", 60, lambda n: "".join(block(product(n, i)) for i in range(8_000)))
jsonld_pages("jsonld-types", 300, lambda n: block([{"@context": "https://schema.org", "@type": [f"T{'𝕋' * 500}{n}{i}"], "name": "x"} for i in range(400)]))
jsonld_pages("jsonld-types-of-one", 3, lambda n: "".join(block({"@context": "https://schema.org", "@id": "#x", "@type": [f"T{t}x{i}" for i in range(90_000)], "name": "x"}) for t in range(9)))
jsonld_pages("jsonld-invalid", 60, lambda n: "".join(f"{JSON_LD}{{x{n}{i}</script>" for i in range(8_000)))
jsonld_pages("jsonld-deep", 10, lambda n: "".join(f"{JSON_LD}{'[' * 120}{'{}'}{']' * 120}</script>" for i in range(30_000)))
jsonld_pages("jsonld-numbers", 10, lambda n: "".join(f"{JSON_LD}[{'0,' * 500_000}0]</script>" for _ in range(9)))
jsonld_pages("jsonld-texts-long", 20, lambda n: "".join(block({"@context": "https://schema.org", "@type": "Product", "name": "n" * 1_000_000, "x": string.ascii_letters}) for _ in range(9)))
jsonld_pages("jsonld-references", 20, lambda n: block([{"@context": "https://schema.org", "@type": "Thing", "@id": f"#{i}", "sameAs": [{"@id": f"#{(i * 7 + k) % 2_000}"} for k in range(25)]} for i in range(2_000)]))
jsonld_pages("breadcrumbs", 100, lambda n: block([{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": i * k, "name": f"n{n}"} for k in range(3)]} for i in range(1_500)]))
raw_single("microdata-nested", lambda: document("<div itemscope itemtype=https://schema.org/Product>" + "<div itemprop=a>" * 490 + "t" * (9 * MIB)))
raw_single("microdata-names", lambda: document(f"<div itemscope itemtype=https://schema.org/Product><p itemprop='{' '.join(f'p{i}' for i in range(45_000))}'>{'t' * (9 * MIB)}</p></div>"))
repeated("microdata-items", 60, 4_000, lambda n, i: f"<div itemscope itemtype=https://schema.org/Product><p itemprop=price>x{n}{i}</p></div>")
single("microdata-references", lambda: "".join(f"<div itemscope itemtype=https://schema.org/Thing itemref='{' '.join(f'r{(i + k) % 500}' for k in range(300))}'></div><p id=r{i % 500} itemprop=x>y</p>" for i in range(4_000)))

# Errors that pages show.
repeated("error-messages", 60, 2_000, lambda n, i: f"<p>Traceback (most recent call last): File \"/srv/app{n}.py\", line {i} DEBUG = True</p>")
pages("words-of-others", 200, lambda n: f"<p>{words(n, 20_000)}</p><a href='/w?q={n}'>x</a>")
