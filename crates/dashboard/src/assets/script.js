// Adds to pages that work without it: copy buttons, times in the reader's zone, live runs.
"use strict";

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  });
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
      events.addEventListener(end, () => { events.close(); location.reload(); });
    }
    // The browser connects again unless the stream was refused.
    events.addEventListener("error", () => {
      if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000);
    });
  };
  document.addEventListener("visibilitychange", watch);
  watch();
}
const pending = document.querySelector("[data-reload]");
if (pending) setTimeout(() => location.reload(), pending.dataset.reload * 1000);

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
