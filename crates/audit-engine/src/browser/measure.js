// Runs before the scripts of every document that is measured, in a world that the page cannot see. It notes what the
// browser reports about the load. Lists and texts are bounded; times are whole milliseconds.
(() => {
  const MOST = { shifts: 2000, tasks: 1000, scripts: 200, blocking: 200, sources: 10, busy: 10, text: 2048, steps: 64, added: 100 };
  const state = {
    fcp: null, lcp: null, shifts: [], largest: [], tasks: [], scripts: new Map(), blocking: [],
    ticked: performance.now(), late: performance.now(), key: null, moved: 0,
  };
  const observers = [];
  const watch = (type, note, options) => {
    try {
      const each = (entries) => entries.forEach(note);
      const observer = new PerformanceObserver((list) => each(list.getEntries()));
      observer.observe({ type, buffered: true, ...options });
      observers.push(() => each(observer.takeRecords()));
    } catch {
      // This version of the browser does not report it.
    }
  };
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') state.fcp = entry.startTime;
  });
  watch('largest-contentful-paint', (entry) => { state.lcp = entry; });
  watch('layout-shift', (entry) => {
    state.moved = entry.startTime;
    if (entry.hadRecentInput) return;
    if (state.shifts.length < MOST.shifts) state.shifts.push([Math.round(entry.startTime), Math.round(entry.value * 1e6)]);
    state.largest.push(entry);
    state.largest.sort((one, other) => other.value - one.value);
    state.largest.length = Math.min(state.largest.length, MOST.sources);
  });
  watch('longtask', (entry) => {
    if (state.tasks.length < MOST.tasks) state.tasks.push([Math.round(entry.startTime), Math.round(entry.duration)]);
  });
  watch('long-animation-frame', (entry) => {
    for (const script of entry.scripts) {
      const url = (script.sourceURL || '').slice(0, MOST.text);
      if (state.scripts.size < MOST.scripts || state.scripts.has(url)) {
        state.scripts.set(url, (state.scripts.get(url) || 0) + script.duration);
      }
    }
  });
  watch('resource', (entry) => {
    if (entry.renderBlockingStatus === 'blocking' && state.blocking.length < MOST.blocking) {
      state.blocking.push(entry.name.split('#')[0].slice(0, MOST.text));
    }
  });
  watch('event', (entry) => {
    if (entry.name === 'keydown') state.key = Math.max(state.key || 0, entry.duration);
  }, { durationThreshold: 16 });

  const tick = () => {
    const now = performance.now();
    if (now - state.ticked > 100) state.late = now;
    state.ticked = now;
  };
  setInterval(tick, 50);

  const step = (element) => {
    const parent = element.parentElement;
    if (!parent) return element.localName;
    let place = 0;
    let count = 0;
    for (const sibling of parent.children) {
      if (sibling.localName === element.localName) count += 1;
      if (sibling === element) place = count;
    }
    return count > 1 ? `${element.localName}:nth-of-type(${place})` : element.localName;
  };
  const selector = (element) => {
    const steps = [];
    for (let at = element; at; at = at.parentElement) {
      if (/^[A-Za-z][\w-]{0,99}$/.test(at.id) && document.querySelectorAll(`[id="${at.id}"]`).length === 1) {
        steps.unshift(`#${at.id}`);
        break;
      }
      steps.unshift(step(at));
      if (steps.length > MOST.steps) return null;
    }
    const text = steps.join(' > ');
    return text.length > MOST.text ? null : text;
  };
  const describe = (node) => {
    const element = node && node.nodeType !== Node.ELEMENT_NODE ? node.parentElement : node;
    if (!element || !element.isConnected) return null;
    const tag = element.cloneNode(false).outerHTML;
    const end = `</${element.localName}>`;
    const start = tag.endsWith(end) ? tag.slice(0, -end.length) : tag;
    return { selector: selector(element), snippet: start.slice(0, MOST.text) };
  };
  const paint = (entry) => {
    const url = (entry.url || '').slice(0, MOST.text);
    const [loaded] = url ? performance.getEntriesByName(entry.url, 'resource') : [];
    return {
      at: Math.round(entry.startTime),
      element: describe(entry.element),
      url: url || null,
      loaded: loaded ? [Math.round(loaded.startTime), Math.round(loaded.responseEnd)] : null,
    };
  };

  globalThis.assayObserved = () => {
    tick();
    observers.forEach((flush) => flush());
    return [state.fcp !== null, Math.round(performance.now() - state.late)];
  };
  const load = () => {
    observers.forEach((flush) => flush());
    const [navigation] = performance.getEntriesByType('navigation');
    const busy = [...state.scripts].sort((one, other) => other[1] - one[1]).slice(0, MOST.busy);
    return {
      origin: performance.timeOrigin,
      now: Math.round(performance.now()),
      ttfb: navigation ? Math.round(navigation.responseStart) : null,
      // 0 if it has not happened.
      ready: (navigation && Math.round(navigation.domContentLoadedEventEnd)) || null,
      fcp: state.fcp === null ? null : Math.round(state.fcp),
      lcp: state.lcp ? paint(state.lcp) : null,
      shifts: state.shifts,
      sources: state.largest.map((entry) => {
        const moved = entry.sources[0];
        return {
          shift: [Math.round(entry.startTime), Math.round(entry.value * 1e6)],
          element: moved ? describe(moved.node) : null,
          elements: entry.sources.length,
        };
      }),
      tasks: state.tasks,
      scripts: busy.map(([url, ms]) => [url, Math.round(ms)]),
      blocking: state.blocking,
    };
  };
  // What changed since the load was read: by what the page does meanwhile, and while the engine lets its time run ahead.
  const later = { from: 0, added: [], observer: null };
  const noteLaterChanges = () => {
    later.from = performance.now();
    later.observer = new MutationObserver((changes) => {
      const at = performance.now();
      for (const change of changes) {
        for (const node of change.addedNodes) {
          if (later.added.length < MOST.added && node.nodeType === Node.ELEMENT_NODE) later.added.push([node, at]);
        }
      }
    });
    later.observer.observe(document, { childList: true, subtree: true });
  };
  globalThis.assayMeasured = () => {
    const measured = load();
    noteLaterChanges();
    return measured;
  };
  // When the last change came that metrics would note, in milliseconds after the load was read; null if there was none. It
  // is asked after the time of the page has run ahead: timers do not run any more, but frames do.
  globalThis.assayLastChange = async () => {
    for (let left = 3; left > 0; left -= 1) await new Promise(requestAnimationFrame);
    observers.forEach((flush) => flush());
    later.observer.disconnect();
    const largest = state.lcp ? state.lcp.size : 0;
    const isLargest = (element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const width = Math.min(right, innerWidth) - Math.max(left, 0);
      const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
      return width > 0 && height > 0 && width * height > largest;
    };
    const times = later.added.filter(([node]) => isLargest(node)).map(([, at]) => at);
    if (state.moved > later.from) times.push(state.moved);
    return times.length > 0 ? Math.round(Math.max(...times) - later.from) : null;
  };
  // The next paint after a key is reported after it.
  globalThis.assayKeys = async () => {
    const frame = () => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve, 0)); });
    await frame();
    await frame();
    observers.forEach((flush) => flush());
    return state.key === null ? null : Math.round(state.key);
  };
})();
