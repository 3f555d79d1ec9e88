"""Sites whose style sheets are long, deep or slow to apply."""

import functools

from hostile.site import Answer, document, index, number_of, pages, single, site

MIB = 1024 * 1024
CSS = ("Content-Type", "text/css")


def linked(name, count, sheet, per_page=1, page_count=50, body="<p class=a>x", **options):
    """Pages that link `per_page` of `count` style sheets each; `sheet(N)` is the N-th."""
    made = functools.lru_cache(8)(sheet)

    @site(name, **{"pages": page_count, **options})
    def answer(request):
        number = number_of(request.path)
        if number is not None and number < page_count:
            head = "".join(f"<link rel=stylesheet href=/c/{(number * per_page + i) % count}>" for i in range(per_page))
            return Answer(document(index(page_count) + (body() if callable(body) else body), head))
        if request.path.startswith("/c/") and request.path[3:].isdigit():
            return Answer(made(int(request.path[3:])).encode(), headers=(CSS,))
        return None


linked("sheets-of-20000-rules", 200, lambda n: "".join(f".c{n}x{i}{{color:red;display:none}}" for i in range(19_000)), 4)
linked("sheets-1mb", 200, lambda n: f"/*{n}*/" + "a{color:red}" * 80_000, 4)
linked("sheets-of-selectors", 200, lambda n: "".join(f"a{i} b:not(.x{n}):nth-child({i})>c[d=e{i}]~f.g{{width:1px}}" for i in range(15_000)), 4)
linked("sheets-settings", 100, lambda n: "".join(f".s{i}{{{''.join(f'width:calc({k}px);' for k in range(60))}}}" for i in range(900)), 2)
linked("sheets-values-long", 200, lambda n: "".join(f".s{i}{{background:url({'u' * 50_000})}}" for i in range(19)), 4)
linked("sheets-distinct", 100_000, lambda n: f".s{n}{{color:red}}", 2_000)
linked("imports-mesh", 400, lambda n: "".join(f"@import '/c/{(n * 7 + i) % 400}';" for i in range(60)) + ".a{color:red}" * 9_000, 4)
linked("imports-chain", 1_000, lambda n: f"@import url(/c/{n + 1});.a{{color:red}}", 1)
linked("imports-many", 100_000, lambda n: "".join(f"@import '/c/{n * 100 + i}';" for i in range(100)), 2)
linked("font-faces", 50, lambda n: "".join(f"@font-face{{font-family:f{n}x{i};src:url(/f{n}/{i})}}" for i in range(15_000)), 2)
linked("sheet-media", 50, lambda n: "".join(f"@media (min-width:{i}px) and (orientation:landscape){{.a{{transform:rotate({i}deg)}}}}" for i in range(9_000)), 1)
linked("sheet-nesting", 50, lambda n: ".a{" * 100_000 + "color:red", 1)
linked("sheet-nesting-of-rules", 50, lambda n: "".join(f".a{i}{{&.b{{&.c{{&.d{{&.e{{&.f{{&.g{{color:red}}}}}}}}}}}}}}" for i in range(9_000)), 1)
linked("sheet-blocks-in-blocks", 50, lambda n: "@media all{" * 7 + "@supports (x){" + "a{color:red}" * 60_000, 1)
linked("sheet-unclosed", 50, lambda n: "a{b:'" + "\\" * 900_000, 1)
linked("sheet-comments", 50, lambda n: "/*" * 450_000, 1)
linked("sheet-brackets", 50, lambda n: "a" + "([{" * 300_000, 1)
SLOW = "<div class=a>" * 400 + "<p class=a>x</p>" * 5_000
linked("selectors-any", 1, lambda n: "* * * * * *{color:red}" * 20_000, 1, 30, lambda: "<p>x" * 20_000)
linked("selectors-descendants", 1, lambda n: "".join(f".a .a .a .a .a .a .b{i}, .a{{display:none}}" for i in range(9_000)), 1, 30, lambda: SLOW)
linked("selectors-siblings", 1, lambda n: "p~p~p~p~p~p~.z{display:none}p+p~p+p~p{color:red}" * 9_000, 1, 30, lambda: "<p class=a>x</p>" * 20_000)
linked("selectors-not-nested", 1, lambda n: (":not(" * 100 + ".a" + ")" * 100 + "{display:none}") * 1_500, 1, 30, lambda: SLOW)
linked("selectors-is-lists", 1, lambda n: (":is(" + ",".join(f".c{i} .d" for i in range(60)) + ") :has(.a){display:none}") * 900, 1, 30, lambda: SLOW)
linked("selectors-attributes", 1, lambda n: "".join(f"[class*=a{i}][title~=b]{{display:none}}" for i in range(15_000)), 1, 30, lambda: f"<p class='{'a' * 5_000}' title=b>x</p>" * 400)
linked("selectors-nth", 1, lambda n: "".join(f"p:nth-last-of-type({i}n+{i % 7}){{display:none}}" for i in range(15_000)), 1, 30, lambda: "<p>x</p>" * 20_000)
single("classes-thousands", lambda: "".join(f"<p class='{' '.join(f'c{(i + k) % 3_000}' for k in range(150))}'>x" for i in range(10_000)), lambda: "<style>" + "".join(f".c{i}{{display:block}}" for i in range(3_000)) + "</style>")
single("class-10mb", lambda: f"<p class='{' '.join(f'c{i}' for i in range(1_000_000))}'>x", lambda: "<style>.c1{display:none}.c2{color:red}</style>")
single("styles-many", lambda: "<style>a{color:red}</style>" * 300_000)
pages("styles-1mb-pages", 100, lambda n: "<p class=c1>x" * 500, lambda n: "<style>" + "".join(f".c{n}x{i},.c{i}{{color:red}}" for i in range(30_000)) + "</style>")
single("style-attributes", lambda: "".join(f"<p style='{';'.join(f'color:#{k:03x}' for k in range(100))}'>x" for i in range(6_000)))
single("style-attribute-10mb", lambda: f"<p style='{'color:red;' * 900_000}'>x</p>")
pages("font-faces-inline", 60, lambda n: "<p>x", lambda n: "<style>" + "".join(f"@font-face{{font-family:f{n}x{i};src:url(f)}}" for i in range(20_000)) + "</style>")
