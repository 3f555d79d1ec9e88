"""Pages that try to keep a browser busy, to fill its memory, to open or leave pages, or to end it.

PAGES has for each name the markup of a page. `{own}` is its folder. The paths of RESPONSES, and those that the server of
scripts/hostile-pages knows, are served in each folder.
"""

FILL = "'x'.repeat(1e6)"


def script(text):
    return f"<script>{text}</script>"


PAGES = {
    # Scripts that do not end.
    "endless-loop-in-head": script("for (;;) {}"),
    "endless-loop-after-load": script("onload = () => { for (;;) {} }"),
    "endless-microtasks": script("const again = () => Promise.resolve().then(again); again()"),
    "endless-queue-microtask": script("const again = () => queueMicrotask(again); again()"),
    "busy-interval": script("setInterval(() => { const end = Date.now() + 200; while (Date.now() < end) {} }, 0)"),
    "endless-animation": script("const draw = () => { document.title = Math.random(); requestAnimationFrame(draw) }; draw()"),
    "endless-elements": script("setInterval(() => document.body?.append(document.createElement('p')), 0)"),
    "endless-replacement": script("setInterval(() => document.body.innerHTML = '<p>' + Math.random().toString().repeat(1e4), 10)"),
    "synchronous-request": script("const r = new XMLHttpRequest(); r.open('GET', 'hang', false); r.send()"),
    "worker-that-never-ends": script("new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])))"),
    "thirty-workers": script("for (let i = 0; i < 30; i++) new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])))"),
    "slow-expression": script("/^(a+)+$/.test('a'.repeat(40) + '!')"),
    "deep-recursion": script("const down = () => down(); setInterval(down, 0)"),
    "endless-document-write": script("for (;;) document.write('<p>x')"),
    "observers-that-wake-each-other": script("new MutationObserver(() => document.body.append('x')).observe(document, {childList: true, subtree: true}); document.documentElement.append('x')"),
    "debugger-statement": script("for (;;) { debugger }"),
    "shared-worker": script("new SharedWorker(URL.createObjectURL(new Blob(['for (;;) {}'])))"),
    # Memory.
    "array-bomb": script("const all = []; for (;;) all.push(new Array(1e6).fill({}))"),
    "string-bomb": script(f"const all = []; for (;;) all.push({FILL} + all.length)"),
    "buffer-bomb": script("const all = []; setInterval(() => all.push(new Uint8Array(64e6).fill(1)), 0)"),
    "webassembly-bomb": script("const m = []; setInterval(() => { const one = new WebAssembly.Memory({initial: 1000}); new Uint8Array(one.buffer).fill(1); m.push(one) }, 0)"),
    "canvas-bomb": script("setInterval(() => { const c = document.createElement('canvas'); c.width = c.height = 8000; c.getContext('2d').fillRect(0, 0, 8000, 8000); document.documentElement.append(c) }, 0)"),
    "blob-bomb": script(f"const all = []; setInterval(() => all.push(new Blob([{FILL}.repeat(50)])), 0)"),
    "bitmap-bomb": script("const all = []; setInterval(async () => all.push(await createImageBitmap(new ImageData(4000, 4000))), 0)"),
    "storage-bomb": script(f"setInterval(() => {{ try {{ localStorage[Math.random()] = {FILL} }} catch {{ localStorage.clear() }} }}, 0)"),
    "database-bomb": script(f"const r = indexedDB.open('x'); r.onupgradeneeded = () => r.result.createObjectStore('s', {{autoIncrement: true}}); r.onsuccess = () => setInterval(() => r.result.transaction('s', 'readwrite').objectStore('s').add({FILL}), 1)"),
    "cache-bomb": script(f"setInterval(async () => (await caches.open('x')).put('/' + Math.random(), new Response({FILL})), 1)"),
    "hundred-thousand-elements": "<p>x</p>" * 100_000,
    "million-elements-by-script": script("document.write('<p>x'.repeat(1e6))"),
    "fifty-thousand-nested": "<div>" * 50_000,
    "nested-by-script": script("let at = document.documentElement; for (let i = 0; i < 2e5; i++) { const d = document.createElement('div'); at.append(d); at = d }"),
    "shadow-trees-within-each-other": script("let at = document.documentElement; for (let i = 0; i < 3e4; i++) { const d = document.createElement('div'); at.append(d); at = d.attachShadow({mode: 'closed'}) }"),
    "huge-text": "x" * 20_000_000,
    "huge-attribute": f"<p title='{'x' * 10_000_000}'>",
    "wide-grid": "<style>body{display:grid;grid-template-columns:repeat(10000,1px)}</style>" + "<i></i>" * 30_000,
    "heavy-filters": "<style>div{filter:blur(100px) drop-shadow(0 0 99px red);width:9000px;height:9000px;position:absolute}</style>" + "<div>" * 60,
    "svg-that-repeats-itself": "<svg>" + "".join(f"<g id=g{n}>" + f"<use href='#g{n - 1}'/>" * 10 + "</g>" if n else "<g id=g0><rect width=1 height=1 /></g>" for n in range(9)) + "</svg>",
    "endless-style-imports": "<style>@import 'import.css?0';</style>",
    # Dialogs, windows and questions.
    "endless-alerts": script("for (;;) alert(1)"),
    "endless-questions": script("for (;;) { confirm(1); prompt(2) }"),
    "stays": script("onbeforeunload = event => { event.preventDefault(); return 'x' }; location = 'well'"),
    "endless-printing": script("setInterval(print, 0)"),
    "permissions": script("navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({video: true}); document.documentElement.requestFullscreen(); document.documentElement.requestPointerLock()"),
    "endless-windows": script("for (let i = 0; i < 1000; i++) window.open('well')"),
    "links-to-new-windows": "<a id=a target=_blank href=well>x</a>" + script("setInterval(() => a.click(), 1)"),
    "forms-to-new-windows": "<form id=f target=_blank action=well></form>" + script("setInterval(() => f.submit(), 1)"),
    "asks-for-a-password": script("fetch('password')") + "<iframe src=password></iframe>",
    # Downloads.
    "downloads": "<a id=a download href=well>x</a>" + script("setInterval(() => a.click(), 1)"),
    "leads-to-a-download": script("location = 'download'"),
    "downloads-in-frames": "<iframe src=download></iframe>" * 50,
    # Navigation.
    "reloads": script("location.reload()"),
    "two-pages-that-lead-to-each-other": script("location = 'back?' + Math.random()"),
    "refreshes": "<meta http-equiv=refresh content=0>",
    "history-flood": script("for (let i = 0; i < 1e5; i++) history.pushState(null, '', '?' + i)"),
    "fragment-flood": script("setInterval(() => location.hash = Math.random(), 0)"),
    "leaves-to-nothing": script("location = 'about:blank'"),
    "leaves-to-data": script("location = 'data:text/html,x'"),
    "leaves-to-a-file": script("location = 'file:///etc/passwd'"),
    "goes-back": script("setInterval(() => history.back(), 0)"),
    # Network.
    "service-worker": script("navigator.serviceWorker?.register('worker.js').then(() => location.reload())"),
    "web-sockets-without-answer": script("for (let i = 0; i < 500; i++) new WebSocket(`ws://${location.host}/hang`)"),
    "endless-event-source": script("new EventSource('stream')"),
    "a-thousand-requests": script("for (let i = 0; i < 1000; i++) fetch('well?' + i)"),
    "requests-without-answer": script("for (let i = 0; i < 100; i++) fetch('hang?' + i)"),
    "endless-image": "<img src=endless>",
    "endless-script": "<script src=endless></script>",
    "font-without-answer": "<style>@font-face{font-family:x;src:url(hang)}body{font-family:x}</style><p>text",
    "frames-within-each-other": "<iframe src='?deeper'></iframe>" + script("if (self !== top) document.body.innerHTML += '<iframe src=\"?' + Math.random() + '\"></iframe>'"),
    "five-hundred-frames": "<iframe src=well></iframe>" * 500,
    "broken-tls": script("fetch('https://' + location.host + '/')") + "<iframe id=f></iframe>" + script("f.src = 'https://' + location.host"),
    "speculation": '<script type=speculationrules>{"prerender":[{"source":"list","urls":["well?a","well?b"]}]}</script>',
    "detects-automation": script("if (navigator.webdriver || /Headless/.test(navigator.userAgent)) for (;;) {}"),
    "endless-document": "",
    "dripping-document": "",
}

# Path below the folder of a page: media type and body.
RESPONSES = {
    "well": ("text/html", "<!doctype html><html lang=en><title>Well</title><h1>Well</h1><script>document.body.append(new Image())</script>"),
    "back": ("text/html", "<title>Back</title>" + script("location = './?' + Math.random()")),
    "worker.js": ("text/javascript", "oninstall = () => skipWaiting(); onactivate = () => clients.claim(); onfetch = event => event.respondWith(new Promise(() => {}))"),
}
