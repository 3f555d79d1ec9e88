// Runs before the scripts of every document, in a world that the page cannot see. It notes when the tree last
// changed, and whether timers run on time. It also keeps an event from the page that nobody caused.
(() => {
  if (window === window.top) {
    // The window of a new document gets its size when the document has begun, before its scripts or after them. Nobody
    // resizes it later. Events that scripts make go on.
    window.addEventListener('resize', (event) => {
      if (event.isTrusted) event.stopImmediatePropagation();
    }, true);
  }
  const state = { changed: performance.now(), changes: 0, beat: performance.now(), gap: 0, counted: -1, words: 0 };
  // A page whose attributes change settles, but not in the same state as before.
  const change = (records) => {
    if (records.length > 0) state.changes += 1;
    if (records.some((record) => record.type !== 'attributes')) state.changed = performance.now();
  };
  const observer = new MutationObserver(change);
  const begin = () => {
    if (document.documentElement) {
      observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
    }
  };
  begin();
  document.addEventListener('readystatechange', begin);
  setInterval(() => {
    const now = performance.now();
    state.gap = now - state.beat;
    state.beat = now;
  }, 50);
  // A snapshot held the timers, and not a script of the page.
  globalThis.assayCaptured = () => {
    state.beat = performance.now();
    state.gap = 0;
  };
  globalThis.assayObserved = () => {
    change(observer.takeRecords());
    // Reading the text lays the page out, so it is read once for each change.
    if (state.counted < state.changed) {
      state.counted = state.changed;
      const text = document.body ? document.body.innerText : '';
      state.words = text.slice(0, 4000).split(/\s+/).filter(Boolean).length;
    }
    return [
      Math.round(performance.now() - state.changed),
      state.words,
      document.fonts.status === 'loaded',
      state.gap < 100,
      state.changes,
      document.getAnimations().length === 0,
    ];
  };
})();
