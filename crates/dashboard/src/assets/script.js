// Adds to pages that work without it: copy buttons, times in the reader's zone, live runs, keyboard shortcuts and drag and drop for action items.
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

// Keys for action items, listed on their pages. On the list, j and k walk, x chooses, e and a go to the change of the
// chosen items, and c to the comments of one; on the page of an item, e, a and c go to its own fields.
const items = [...document.querySelectorAll("[data-item]")];
const itemForm = document.querySelector("form[data-keys]");
if (items.length > 0 || itemForm) {
  let current = -1;
  const box = (item) => item.querySelector("input[type=checkbox]");
  const link = (item) => item.querySelector("a[href]");
  const go = (to) => {
    items[current]?.classList.remove("current");
    current = Math.max(0, Math.min(items.length - 1, to));
    items[current].classList.add("current");
    link(items[current]).focus();
  };
  const focus = (id) => {
    const field = document.getElementById(id);
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  };
  // A change without a chosen item means the current one.
  const change = (id) => {
    if (items[current] && !items.some((item) => box(item).checked)) box(items[current]).checked = true;
    focus(id);
  };
  const keys = itemForm
    ? { e: () => focus("status"), a: () => focus("assignee"), c: () => focus("body") }
    : {
        j: () => go(current + 1),
        k: () => go(current - 1),
        x: () => { if (items[current]) box(items[current]).checked = !box(items[current]).checked; },
        e: () => change("new-status"),
        a: () => change("new-assignee"),
        c: () => { if (items[current]) location.assign(link(items[current]).href + "#body"); },
      };
  document.addEventListener("focusin", (event) => {
    const at = items.findIndex((item) => item.contains(event.target));
    if (at < 0 || at === current) return;
    items[current]?.classList.remove("current");
    current = at;
    items[current].classList.add("current");
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Letters that are typed into a field, or choose in a list, are the field's.
    const isField = event.target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
    if (isField || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  if (location.hash === "#body") focus("body");

  // Dropping an item on another column of the board sends the form for changes of several items, with that item alone.
  const status = document.getElementById("new-status");
  let dragged;
  for (const item of status ? document.querySelectorAll(".board [data-item]") : []) {
    item.draggable = true;
    item.addEventListener("dragstart", () => { dragged = item; });
    item.addEventListener("dragend", () => { dragged = undefined; });
  }
  for (const column of status ? document.querySelectorAll("[data-column]") : []) {
    const mark = (isTarget) => column.classList.toggle("target", isTarget);
    column.addEventListener("dragover", (event) => {
      if (!dragged || column.contains(dragged)) return;
      event.preventDefault();
      mark(true);
    });
    column.addEventListener("dragleave", () => mark(false));
    column.addEventListener("drop", (event) => {
      if (!dragged) return;
      event.preventDefault();
      mark(false);
      status.form.reset();
      for (const item of items) box(item).checked = item === dragged;
      status.value = column.dataset.column;
      status.form.requestSubmit(status.form.querySelector("[value=change]"));
    });
  }
}
