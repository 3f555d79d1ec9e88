"""Pages with one known behaviour while they load, for the comparison of measured page loads."""

import base64
import random

WORDS = ("The island ferry leaves at seven and comes back before the storm with apples, letters and a captain who tells stories. " * 6)


def image(kilobytes, seed=1):
    """A BMP picture of random colors, which no compression makes smaller, of about this size."""
    side = int((kilobytes * 1024 / 3) ** 0.5) // 4 * 4
    pixels = random.Random(seed).randbytes(side * side * 3)
    size = 54 + len(pixels)
    header = b"BM" + size.to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    header += (40).to_bytes(4, "little") + side.to_bytes(4, "little") * 2 + b"\x01\x00\x18\x00" + bytes(24)
    return header + pixels


def page(body, head=""):
    return ("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=width=device-width>"
            f"<title>The island ferry</title><link rel=icon href=data:,>{head}</head><body>{body}</body></html>")


def busy(milliseconds):
    return f"const until = performance.now() + {milliseconds}; while (performance.now() < until) {{}}"


HEADING = "<h1>The island ferry</h1>"
TEXT = f"<p>{WORDS}</p>"
INSERT = "const one = document.createElement('div'); one.style.height = '240px'; one.textContent = 'Notice'; document.body.prepend(one);"
HERO = "const one = new Image(); one.width = 380; one.height = 380; one.alt = 'Harbour'; one.src = '/hero.bmp'; document.body.prepend(one);"
IMAGE = "image/bmp"

# Name of the page, its HTML, and the other files of its site: path, media type and body.
PAGES = {
    "shift-at-1500-ms": (page(f"{HEADING}{TEXT}<script>setTimeout(() => {{ {INSERT} }}, 1500)</script>"), {}),
    "late-hero": (page(f"{HEADING}{TEXT}<script>setTimeout(() => {{ {HERO} }}, 1000)</script>"), {"/hero.bmp": (IMAGE, image(120))}),
    "long-tasks": (page(
        f"{HEADING}{TEXT}<script>let left = 4; const work = () => {{ {busy(400)} if (--left) setTimeout(work, 200); }}; "
        "addEventListener('load', () => setTimeout(work, 300))</script>"), {}),
    "large-image": (page(f"{HEADING}<img src=/hero.bmp width=380 height=380 alt=Harbour>{TEXT}"), {"/hero.bmp": (IMAGE, image(500))}),
    "large-script": (page(f"{HEADING}{TEXT}", "<script src=/app.js></script>"), {
        "/app.js": ("text/javascript", b"const data = '" + base64.b64encode(random.Random(2).randbytes(180_000)) + b"'; " + busy(120).encode())}),
    "text": (page(f"{HEADING}{TEXT}"), {}),
}
