"""Examines a page in a browser tab: its width, and what axe-core and the Nu HTML checker say of it."""

import contextlib
import json
import subprocess

from browser import BrowserError, wait_until

SCHEMES = ("light", "dark")
OVERFLOW = """(() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return "";
  const wide = [...document.body.querySelectorAll("*")].filter(one =>
    one.getBoundingClientRect().right > root.clientWidth + 1 && !one.parentElement.closest(".scroll, pre, details:not([open])"));
  return `${root.scrollWidth} of ${root.clientWidth} px: ` + wide.slice(0, 4).map(one =>
    one.outerHTML.replace(/\\s+/g, " ").slice(0, 100)).join(" | ");
})()"""
OPEN_DETAILS = "document.querySelectorAll('details:not([open])').forEach(one => { one.open = one.dataset.opened = true })"
CLOSE_DETAILS = "document.querySelectorAll('[data-opened]').forEach(one => { one.open = false; delete one.dataset.opened })"
AXE = """axe.run(document, {preload: false, resultTypes: ["violations"]}).then(result => result.violations.map(one =>
  `${one.id}: ${one.help}: ` + one.nodes.slice(0, 3).map(node =>
    `${node.target.join(" ")} ${(node.any[0] || node.all[0] || node.none[0] || {}).message || ""}`).join(" | ")))"""


def overflow(tab):
    """What makes the page scroll sideways; empty if it does not."""
    return tab.evaluate(OVERFLOW)


@contextlib.contextmanager
def all_details_open(tab):
    """Opens all details of the page, and closes them afterwards."""
    tab.evaluate(OPEN_DETAILS)
    yield
    tab.evaluate(CLOSE_DETAILS)


def axe_violations(tab, source):
    """The violations that axe-core finds on the page; `source` is axe.min.js."""
    def find():
        # A live page can load again in between.
        with contextlib.suppress(BrowserError):
            if not tab.evaluate("typeof axe === 'object'"):
                tab.evaluate(f"{source}; true")
            return [tab.evaluate(AXE, wait=True, most=60)]
        return None

    return wait_until(find, "axe-core runs", 60)[0]


def html_messages(vnu, files):
    """The messages of the Nu HTML checker on all files, together: each start of Java takes a second."""
    command = ["java", "-Xss4m", "-jar", vnu, "--format", "json", "--stdout", *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    try:
        return json.loads(done.stdout)["messages"]
    except ValueError as error:
        raise BrowserError(f"the HTML checker has no result: {done.stderr.strip()}") from error
