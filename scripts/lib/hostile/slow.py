"""Sites that respond slowly, endlessly, or with invalid HTTP."""

import random
import time

from hostile.site import HTML, Answer, document, index, number_of, site

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"


def drip(parts, pause):
    for part in parts:
        yield part
        time.sleep(pause)


def raw(name, pieces, every=False, **options):
    """A site whose start page links 200 others, which all respond with `pieces(REQUEST)`; with `every` the start
    page and robots.txt do, too."""

    @site(name, **{"pages": 200, **options})
    def answer(request):
        number = number_of(request.path)
        if every or number:
            return Answer(pieces(request), raw=True)
        return Answer(document(index(200))) if number == 0 else None


def slowly(whole, pause, size=1):
    return drip((whole[at : at + size] for at in range(0, len(whole), size)), pause)


def over(seconds, whole):
    """The body in fifty chunks, spread over this time."""
    return slowly(whole, seconds / 50, len(whole) // 50 + 1)


raw("drip-everything", lambda r: over(25, HEAD + b"\r\n" + document(index(1_000))), every=True, pages=1_000)
raw("drip-without-end", lambda r: slowly(HEAD + b"\r\n" + document(index(1_000)) + b"<p>x" * 10_000, 0.2, 512), every=True)
raw("drip-heads-everywhere", lambda r: slowly(HEAD + b"\r\n" + document(index(200)), 0.5), every=True)
raw("drip-bodies", lambda r: over(28, HEAD + b"\r\n" + document(index(200))))
raw("drip-heads", lambda r: slowly(HEAD + b"X-Long: " + b"x" * 100_000, 0.3, 16))
raw("drip-just-in-time", lambda r: drip([HEAD + b"Content-Length: 60\r\n\r\n<!doctype html><title>x</title>"] + [b"<p>x "] * 6, 4.5))
raw("bodies-without-end", lambda r: drip(iter(lambda: HEAD + b"\r\n" + b"<p>x" * 16_384, b""), 0))
raw("silence", lambda r: drip([b""], 60))
raw("hang-up", lambda r: iter([HEAD + b"Content-Length: 1000000\r\n\r\n<p>x"]))
raw("no-http", lambda r: iter([b"220 mail.example ESMTP\r\n" * 1_000]))
raw("noise", lambda r: iter([random.Random(r.target).randbytes(100_000)]))
raw("chunks-tiny", lambda r: iter([HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 2_000_000, b"0\r\n\r\n"]))
raw("chunk-extensions", lambda r: iter([HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1;" + b"x" * 1_000_000 + b"\r\nx\r\n", b"0\r\n\r\n"]))
raw("chunk-endless", lambda r: iter([HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"FFFFFFFFFFFFFFF\r\n", b"x" * 10_000_000]))
raw("trailers", lambda r: iter([HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", b"X-T: t\r\n" * 500_000, b"\r\n"]))
raw("informational", lambda r: iter([b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 100_000, HEAD + b"Content-Length: 4\r\n\r\n<p>x"]))
raw("statuses-odd", lambda r: iter([b"HTTP/1.1 999 \r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x"]))
raw("lengths-two", lambda r: iter([HEAD + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\n<p>xy"]))
raw("length-huge", lambda r: iter([HEAD + b"Content-Length: 18446744073709551615\r\n\r\n<p>xy"]))


@site("retry-after", pages=200)
def retry_after(request):
    """Most pages respond with Retry-After."""
    number = number_of(request.path)
    if number is None:
        return None
    if number % 3:
        return Answer(b"", 429 if number % 2 else 503, (HTML, ("Retry-After", str(10**9 if number % 5 else 20))))
    return Answer(document(index(200) + f"Page {number}"))


@site("slow-first-byte", pages=100)
def slow_first_byte(request):
    """Each response takes almost as long as the timeout."""
    number = number_of(request.path)
    if number:
        time.sleep(9)
    return None if number is None else Answer(document(index(100) + f"Page {number}"))
