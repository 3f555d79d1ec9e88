// Adds to pages that work without it: copy buttons, times in the reader's zone, live runs.
"use strict";

// Browsers give pages on plain http no clipboard, unless they come from this machine: there the text is selected instead.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  if (!navigator.clipboard) button.firstChild.textContent = "Select";
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    if (!navigator.clipboard) return getSelection().selectAllChildren(source);
    await navigator.clipboard.writeText(source.textContent);
    button.firstChild.textContent = "Copied";
  });
}

// Loads the page again as soon as the service answers, so that a page left open never ends as an error of the browser.
function reload(wait) {
  setTimeout(async () => {
    const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
    if (answer && answer.status < 500) location.reload();
    else reload(Math.min(wait * 2, 60000));
  }, wait);
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.valueOf())) {
    time.title = time.textContent;
    time.textContent = format.format(at);
  }
}

// A live run: events name the texts of the page's elements; the page is loaded again when the run ends. A page that is
// not seen holds no connection.
for (const live of document.querySelectorAll("[data-events]")) {
  let events;
  const watch = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource(live.dataset.events);
    events.addEventListener("progress", (event) => {
      for (const [name, text] of Object.entries(JSON.parse(event.data))) {
        for (const shown of live.querySelectorAll(`[data-live="${name}"]`)) {
          if (shown.tagName === "PROGRESS") shown.value = text;
          else if (shown.textContent !== text) shown.textContent = text;
        }
      }
    });
    for (const end of ["completed", "failed", "cancelled"]) {
      events.addEventListener(end, () => { events.close(); reload(0); });
    }
    // The browser connects again unless the stream was refused.
    events.addEventListener("error", () => {
      if (events.readyState === EventSource.CLOSED) reload(5000);
    });
  };
  document.addEventListener("visibilitychange", watch);
  watch();
}
const pending = document.querySelector("[data-reload]");
if (pending) reload(pending.dataset.reload * 1000);

// A link to an issue opens it.
function openTarget() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}
addEventListener("hashchange", openTarget);
openTarget();
