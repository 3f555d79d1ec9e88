"""A small client of the Chrome DevTools Protocol, which drives Chromium over a pipe (`--remote-debugging-pipe`).

A `Browser` is a process with a fresh profile, a `Tab` a page in a browser context of its own, and a `Person` does in a
tab what a person does: with a pointer, or by keyboard alone. Every wait is for a condition and has a limit.
"""

import base64
import contextlib
import fcntl
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

MOST = 20
NAMES = ("chromium", "chromium-browser", "google-chrome")
KEYS = {
    "Tab": (9, None),
    "Enter": (13, "\r"),
    "Space": (32, " "),
    "ArrowDown": (40, None),
    "Home": (36, None),
    "Backspace": (8, None),
}


class BrowserError(Exception):
    """The browser does not do what a step expects of it."""


def find_chromium():
    """The path of Chromium, or none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def install_chromium():
    """The path of Chromium. Installs Debian's package if it is missing and this process runs as root."""
    if path := find_chromium():
        return path
    if os.getuid() != 0 or not shutil.which("apt-get"):
        sys.exit("Chromium is missing: install it, on Debian with apt-get install -y --no-install-recommends chromium")
    print("--> installing chromium", file=sys.stderr)
    subprocess.run(["apt-get", "update", "-q"], stdout=subprocess.DEVNULL)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
    if subprocess.run(command, stdout=subprocess.DEVNULL, env=environment).returncode or not find_chromium():
        sys.exit("apt-get could not install chromium")
    return find_chromium()


def wait_until(condition, what, most=MOST):
    """Waits until `condition` returns a true value, and returns it. `what` is a text, or a function that returns it."""
    end = time.monotonic() + most
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise BrowserError(f"not within {most} s: {what() if callable(what) else what}")
        time.sleep(0.02)


class Browser:
    """A Chromium without a window."""

    def __init__(self, executable=None):
        self.profile = tempfile.mkdtemp(prefix="assay-browser-")
        command = [
            executable or install_chromium(), "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}",
            "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-sync",
            "--disable-component-update", "--disable-extensions", "--disable-dev-shm-usage", "--mute-audio",
            "--hide-scrollbars", "--lang=en-US", "--disable-features=Translate,OptimizationHints,MediaRouter",
        ]
        if os.getuid() == 0:
            command.append("--no-sandbox")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        # Above the numbers 3 and 4, which they get in the child.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser, from_browser)]

        def name_ends():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            command + ["about:blank"], preexec_fn=name_ends, pass_fds=(3, 4), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "LANG": "en_US.UTF-8", "TZ": "UTC"},
        )
        for end in (to_browser, from_browser, *ends):
            os.close(end)
        self.numbers = itertools.count(1)
        self.lock = threading.Lock()
        self.answered = threading.Condition()
        self.answers = {}
        self.tabs = {}
        self.is_closed = False
        threading.Thread(target=self._read, daemon=True).start()
        self.send("Browser.getVersion")

    def _read(self):
        rest = b""
        while chunk := os.read(self.read_end, 1 << 16):
            *messages, rest = (rest + chunk).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    with self.answered:
                        self.answers[message["id"]] = message
                        self.answered.notify_all()
                elif tab := self.tabs.get(message.get("sessionId")):
                    tab.on_event(message["method"], message["params"])
        with self.answered:
            self.is_closed = True
            self.answered.notify_all()

    def send(self, method, session=None, most=MOST, **parameters):
        """Calls a method of the protocol and returns its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        text = json.dumps(message).encode() + b"\0"
        with self.lock:
            while text:
                text = text[os.write(self.write_end, text):]
        with self.answered:
            if not self.answered.wait_for(lambda: number in self.answers or self.is_closed, most):
                raise BrowserError(f"{method}: no answer within {most} s")
            if number not in self.answers:
                raise BrowserError(f"{method}: the browser has exited")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def tab(self, origin, **options):
        """A tab in a context of its own, with its own cookies."""
        return Tab(self, origin, **options)

    def close(self):
        with contextlib.suppress(BrowserError, OSError):
            self.send("Browser.close", most=5)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        # The group has the id of the process, which began a session of its own.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Tab:
    """A page. It records what a page of ours never does: policy violations, requests to other hosts, errors."""

    def __init__(self, browser, origin, script=True, width=1280, height=900):
        self.browser = browser
        self.origin = origin
        self.script = script
        self.violations, self.foreign, self.errors = [], [], []
        self.status = self.url = self.document = self.method = None
        self.headers = {}
        # Whether the service is away, so that failed requests are expected.
        self.unreachable = False
        self.kinds = {}
        self.dialogs = 0
        self.context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.tabs[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.send(f"{domain}.enable")
        self.send("Runtime.addBinding", name="reportViolation")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=(
            "addEventListener('securitypolicyviolation', event => reportViolation("
            "`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`))"
        ))
        if not script:
            self.send("Emulation.setScriptExecutionDisabled", value=True)
        self.resize(width, height)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def on_event(self, method, params):
        if method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            self.kinds[params["requestId"]] = params.get("type")
            if params.get("type") == "Document":
                self.method = params["request"]["method"]
            if not url.startswith((self.origin + "/", "data:", "about:", "blob:")):
                self.foreign.append(url)
        elif method == "Network.responseReceived" and params["type"] == "Document":
            self.status, self.url = params["response"]["status"], params["response"]["url"]
            self.document, self.headers = params["requestId"], params["response"]["headers"]
        elif method == "Runtime.bindingCalled" and params["name"] == "reportViolation":
            self.violations.append(params["payload"])
        elif method == "Audits.issueAdded":
            issue = params["issue"]
            if issue["code"] == "ContentSecurityPolicyIssue":
                details = issue["details"]["contentSecurityPolicyIssueDetails"]
                self.violations.append(f"{details['violatedDirective']} {details.get('blockedURL', 'inline')}")
        elif method == "Log.entryAdded":
            entry = params["entry"]
            if entry["source"] == "security":
                self.violations.append(entry["text"])
            # The status of a page itself is for the step to judge.
            elif self.unreachable and "net::ERR_" in entry["text"]:
                pass
            elif entry["level"] == "error" and self.kinds.get(entry.get("networkRequestId")) != "Document":
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(one.get("value", one.get("description"))) for one in params["args"]))
        elif method == "Page.javascriptDialogOpening":
            self.errors.append(f"a dialog: {params['message']}")

    # What the page is.

    def evaluate(self, expression, wait=False, most=MOST):
        """The value of a JavaScript expression. The protocol evaluates it also where the page may run no script."""
        answer = self.browser.send(
            "Runtime.evaluate", self.session, most=most, expression=expression, returnByValue=True, awaitPromise=wait
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def ask(self, expression):
        """The same, or none while one page replaces another."""
        try:
            return self.evaluate(expression)
        except BrowserError:
            return None

    def text(self):
        """What the page shows."""
        return " ".join((self.ask("document.body ? document.body.innerText : ''") or "").split())

    def cookie(self):
        """The cookies of the page, as a header has them."""
        cookies = self.send("Network.getCookies", urls=[self.origin + "/"])["cookies"]
        return "; ".join(f"{one['name']}={one['value']}" for one in cookies)

    def source(self):
        """The page as the service sent it. Chromium has it only some time after the headers."""
        answer = wait_until(self.response_body, "the HTML of the page")
        return base64.b64decode(answer["body"]).decode() if answer["base64Encoded"] else answer["body"]

    def response_body(self):
        """The answer with the body of the page, or none while Chromium does not have it."""
        try:
            return self.send("Network.getResponseBody", requestId=self.document)
        except BrowserError:
            return None

    def path(self):
        """The path and the query of the address."""
        parts = urllib.parse.urlsplit(self.ask("location.href") or "")
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def loader(self):
        """What changes with each page."""
        return self.send("Page.getFrameTree")["frameTree"]["frame"]["loaderId"]

    # What is done with it.

    @contextlib.contextmanager
    def navigation(self):
        """Waits until what is done inside has led to another page, completely loaded."""
        before = self.loader()
        yield
        self.wait_for_page_after(before)

    def wait_for_page_after(self, before, most=MOST):
        def is_loaded():
            return self.loader() != before and self.ask("document.readyState") == "complete"

        wait_until(is_loaded, lambda: f"another page after {self.path()}: {self.text()[:300]}", most)

    def open(self, address):
        """Enters an address."""
        url = urllib.parse.urljoin(self.origin + "/", address)
        with self.navigation():
            self.send("Page.navigate", url=url)

    def reload(self):
        with self.navigation():
            self.send("Page.reload")

    def resize(self, width, height=900):
        self.width, self.height = width, height
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def color_scheme(self, scheme):
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def drag(self, source, target):
        """Drags the element that `source` selects to the one that `target` selects, and waits for the next page."""
        place = "(() => { const box = document.querySelector(%s).getBoundingClientRect(); return [box.x + box.width - 8, box.y + 12]; })()"
        self.evaluate(f"document.querySelector({json.dumps(source)}).scrollIntoView({{block: 'center', behavior: 'instant'}})")
        begin, end = (self.evaluate(place % json.dumps(one)) for one in (source, target))
        mouse = lambda kind, at, **more: self.send("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", **more)
        with self.navigation():
            mouse("mousePressed", begin, clickCount=1)
            mouse("mouseMoved", [(begin[0] + end[0]) / 2, begin[1] + 9], buttons=1)
            for _ in range(2):
                mouse("mouseMoved", end, buttons=1)
            mouse("mouseReleased", end, clickCount=1)

    def picture(self, file, most=6000):
        """Saves the page as PNG, down to `most` pixels."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": self.width, "height": min(max(size["height"], 200), most), "scale": 1}
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def key(self, name, modifiers=0):
        code, text = KEYS[name]
        event = {"key": " " if name == "Space" else name, "code": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        """Types a text, key by key."""
        for sign in text:
            self.send("Input.dispatchKeyEvent", type="keyDown", key=sign, text=sign)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=sign)

    def close(self):
        self.browser.send("Target.disposeBrowserContext", browserContextId=self.context)
        self.browser.tabs.pop(self.session, None)


# Finds what a person means by a name: a control by its label, a button or a link by its text. Only what is seen counts.
FIND = """
(() => {
  const [role, name, within] = %s;
  const roles = {
    button: "button, summary", link: "a[href]", field: "input:not([type=hidden]), textarea, select",
    heading: "h1, h2, h3, h4",
  };
  const tidy = text => (text || "").replace(/\\s+/g, " ").trim();
  const nameOf = element => {
    if (element.getAttribute("aria-label")) return tidy(element.getAttribute("aria-label"));
    if (element.labels && element.labels.length) return tidy([...element.labels].map(one => one.innerText).join(" "));
    return tidy(element.innerText);
  };
  const root = within ? document.querySelector(within) : document;
  const seen = [...(root || document.createElement("p")).querySelectorAll(roles[role])].filter(one => one.checkVisibility({visibilityProperty: true}));
  return seen.find(one => nameOf(one) === name) || seen.find(one => nameOf(one).startsWith(name));
})()
"""


class Person:
    """Works in a tab with a pointer or, with `keyboard`, with Tab, Enter, Space and letters alone."""

    def __init__(self, tab, keyboard=False):
        self.tab = tab
        self.keyboard = keyboard
        # Controls that were activated or filled in: clicks, with a pointer.
        self.uses = 0

    def _find(self, role, name, within, then):
        return self.tab.evaluate(f"(found => found && ({then}))({FIND % json.dumps([role, name, within])})")

    def sees(self, role, name, within=None):
        """Whether the page shows a `button`, `link`, `field` or `heading` of this name."""
        return bool(self._find(role, name, within, "true"))

    def _reach(self, role, name, within):
        """Moves the focus there: with Tab, or by a click of a pointer."""
        what = f"a {role} “{name}” on {self.tab.path()}"
        self.uses += 1
        if not self.sees(role, name, within):
            raise BrowserError(f"there is no {role} “{name}” on {self.tab.path()}: {self.tab.text()[:300]}")
        if not self.keyboard:
            return self._click(role, name, within, what)
        is_there = "document.activeElement === found"
        # A page has fewer stops; the first Tab after the last stop leads to the page's beginning.
        for _ in range(400):
            if self._find(role, name, within, is_there):
                self._check_focus(what)
                return None
            self.tab.key("Tab")
        raise BrowserError(f"Tab does not reach {what}")

    def _check_focus(self, what):
        """The focus must be seen: an outline, in the visible part of the page once that has scrolled."""
        problem = """(() => {
          const focus = document.activeElement, style = getComputedStyle(focus), box = focus.getBoundingClientRect();
          if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1) return "has no outline";
          if (box.bottom <= 0 || box.top >= innerHeight) return "is outside of the window";
          return "";
        })()"""
        wait_until(lambda: self.tab.evaluate(problem) == "",
                   lambda: f"{what} has the focus, and its outline is seen: it {self.tab.evaluate(problem)}", 3)

    def _click(self, role, name, within, what):
        # Smooth scrolling would move it while the pointer is on its way.
        place = """(() => {
          found.scrollIntoView({block: "center", behavior: "instant"});
          const box = found.getClientRects()[0];
          const place = [box.x + Math.min(box.width / 2, innerWidth / 2), box.y + Math.min(box.height / 2, 20)];
          const hit = document.elementFromPoint(...place);
          return found === hit || found.contains(hit) ? place : null;
        })()"""
        seen = [None, None]

        def is_at_rest():
            # A list of options that closes, or a time that is written anew, moves what is below it.
            seen.append(self._find(role, name, within, place))
            return seen[-1] and seen[-1] == seen[-2]

        wait_until(is_at_rest, f"{what} is not covered by something else", 3)
        box = seen[-1]
        for kind in ("mousePressed", "mouseReleased"):
            self.tab.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        return None

    def press(self, role, name, within=None):
        """Activates a button or a link."""
        self._reach(role, name, within)
        if self.keyboard:
            self.tab.key("Enter")

    def follow(self, name, within=None):
        """Opens a link, and waits for its page."""
        with self.tab.navigation():
            self.press("link", name, within)

    def send(self, name, within=None):
        """Presses the button of a form, and waits for the answer."""
        with self.tab.navigation():
            self.press("button", name, within)

    def fill(self, label, text, within=None):
        """Replaces the text of a field."""
        self._reach("field", label, within)
        self.tab.send("Input.dispatchKeyEvent", type="rawKeyDown", key="a", code="KeyA", windowsVirtualKeyCode=65,
                      modifiers=2, commands=["selectAll"])
        self.tab.send("Input.dispatchKeyEvent", type="keyUp", key="a", code="KeyA", windowsVirtualKeyCode=65, modifiers=2)
        if text:
            self.tab.type(text)
        else:
            self.tab.key("Backspace")
        value = self._find("field", label, within, "found.value")
        if value != text:
            raise BrowserError(f"“{label}” has the text “{value}”, not “{text}”")

    def fill_date(self, label, day, within=None):
        """Enters a day (2026-12-24) in the order in which the browser's English fields take it: month, day, year."""
        self._reach("field", label, within)
        if not self.keyboard:
            # A click goes to one of the three parts.
            self._find("field", label, within, "(found.blur(), found.focus(), true)")
        year, month, date = day.split("-")
        self.tab.type(f"{month}{date}{year}")
        value = self._find("field", label, within, "found.value")
        if value != day:
            raise BrowserError(f"“{label}” has the date “{value}”, not “{day}”")

    def choose(self, label, option, within=None):
        """Chooses an option by its first letters, as a keyboard does."""
        if not self.sees("field", label, within):
            raise BrowserError(f"there is no field “{label}” on {self.tab.path()}")
        if self.keyboard:
            self._reach("field", label, within)
        else:
            # The list of options is no part of the page, where a pointer of the protocol could reach it.
            self.uses += 2
            self._find("field", label, within, "found.focus()")
        self.tab.type(option)
        chosen = "found.selectedOptions[0].text.trim()"
        wait_until(lambda: self._find("field", label, within, chosen) == option,
                   lambda: f"“{label}” is “{self._find('field', label, within, chosen)}”, not “{option}”", 3)

    def tick(self, label, within=None):
        """Ticks a box, or removes its tick."""
        self._reach("field", label, within)
        if self.keyboard:
            self.tab.key("Space")
