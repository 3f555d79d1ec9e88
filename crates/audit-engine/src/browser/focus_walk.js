// Says what changes when an element gets the focus. Runs in a world that the page cannot see, while the engine
// presses the Tab key.
(() => {
  const MOST_CANDIDATES = 200;
  const MOST_ANCESTORS = 20;
  const FOCUSABLE = 'a[href],area[href],button,input,select,textarea,summary,iframe,audio[controls],video[controls],[tabindex],[contenteditable]';
  const CARET = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
  const PAINT = ['backgroundColor', 'backgroundImage', 'boxShadow', 'color', 'textDecorationLine', 'textDecorationColor',
    'textDecorationStyle', 'textDecorationThickness', 'opacity', 'visibility', 'filter'];
  const PLACE = ['transform', 'left', 'top', 'width', 'height', 'clip', 'clipPath'];
  const SIDES = ['Top', 'Right', 'Bottom', 'Left'];
  const isClear = color => color === 'transparent' || /^rgba\(.*, 0\)$/.test(color);
  const line = (style, width, color) =>
    style === 'none' || style === 'hidden' || width === '0px' || isClear(color) ? '' : `${style} ${width} ${color}`;

  const paint = style => [
    line(style.outlineStyle, style.outlineWidth, style.outlineColor) && `${style.outlineColor} ${style.outlineStyle} ${style.outlineWidth}`,
    ...SIDES.map(side => line(style[`border${side}Style`], style[`border${side}Width`], style[`border${side}Color`])),
    ...PAINT.map(name => style[name]),
  ];
  const generated = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    return style.content === 'none' || style.content === 'normal' ? '' : [style.content, ...paint(style)].join();
  };
  // What is close to an element changes with it: also its place and what is generated.
  const look = (element, isClose) => {
    const style = getComputedStyle(element);
    const own = paint(style);
    if (isClose) {
      own.push(...PLACE.map(name => style[name]), generated(element, '::before'), generated(element, '::after'));
    }
    return own.join('|');
  };

  const active = () => {
    let found = document.activeElement;
    while (found && found.shadowRoot && found.shadowRoot.activeElement) found = found.shadowRoot.activeElement;
    return found === document.body || found === document.documentElement ? null : found;
  };
  // The element, what stands beside it and labels it, and what is around it.
  const related = element => {
    const all = new Map([[element, true]]);
    for (const near of [element.previousElementSibling, element.nextElementSibling, element.firstElementChild, ...(element.labels || [])]) {
      if (near) all.set(near, true);
    }
    let around = element;
    for (let step = 0; step < MOST_ANCESTORS; step++) {
      around = around.parentElement || (around.getRootNode().host ?? null);
      if (!around) break;
      if (!all.has(around)) all.set(around, false);
    }
    return all;
  };
  const frame = () => new Promise(done => {
    setTimeout(done, 200);
    requestAnimationFrame(() => requestAnimationFrame(done));
  });
  // Ends the transitions that have begun: those of some elements, or all.
  const endTransitions = async (elements = null) => {
    await frame();
    const isEnded = one => one instanceof CSSTransition && (!elements || elements.has(one.effect.target));
    const running = document.getAnimations().filter(isEnded);
    for (const one of running) one.finish();
    if (running.length > 0) await frame();
  };

  const before = new Map();
  const seen = new Map();
  let focused = 0;
  let current = null;
  const hasChanged = element => {
    for (const [one, isClose] of related(element)) {
      const known = (before.get(one) || [])[isClose ? 1 : 0];
      if (known !== undefined && known !== look(one, isClose)) return true;
    }
    return false;
  };
  const isText = element => element.isContentEditable || element.localName === 'textarea'
    || (element.localName === 'input' && CARET.has(element.type));
  const hasCaret = element => isText(element) && !element.readOnly && !isClear(getComputedStyle(element).caretColor);
  const isInWindow = box => box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  const isLarge = box => box.width > 2 && box.height > 2;
  // Whether an element that has a size is outside of the window, as a closed menu is.
  const isOutside = element => {
    const box = element.getBoundingClientRect();
    return isLarge(box) && !isInWindow(box);
  };
  // Whether the styles of an element can be seen: it is in the window, and neither transparent nor cut away.
  const isShown = element => {
    const box = element.getBoundingClientRect();
    if (!isInWindow(box) || !isLarge(box)) return false;
    return [...related(element)].every(([one, isClose]) => {
      if (isClose && one !== element) return true;
      const style = getComputedStyle(one);
      return style.opacity !== '0' && style.clip === 'auto' && style.clipPath === 'none';
    });
  };
  // Whether something else is in front of the middle of an element.
  const isCovered = element => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    const hit = element.getRootNode().elementFromPoint(x, y);
    return !hit || !(hit === element || element.contains(hit) || hit.contains(element));
  };

  globalThis.assayFocus = {
    // Takes the focus away, and notes how everything looks without it.
    async begin() {
      // The event of an element comes before a script of the page answers it.
      document.addEventListener('focus', () => { focused++; }, true);
      active()?.blur();
      scrollTo({ top: 0, left: 0, behavior: 'instant' });
      await endTransitions();
      const candidates = [...document.querySelectorAll(FOCUSABLE)].slice(0, MOST_CANDIDATES);
      for (const candidate of candidates) {
        for (const [one, isClose] of related(candidate)) {
          const known = before.get(one) || [];
          known[isClose ? 1 : 0] ??= look(one, isClose);
          before.set(one, known);
        }
      }
      focused = 0;
    },
    // What the last key did: ['left'], ['again', number], ['moved'], ['frame'] if the focus is still in the same frame,
    // or ['stop', what changed].
    async step() {
      const element = active();
      // The key moved the focus once. Scripts may have moved it before the key or after it.
      const isMoved = focused > 1;
      focused = 0;
      if (isMoved) return ['moved'];
      if (!element) return ['left'];
      const isFrame = element.localName === 'iframe' || element.localName === 'frame';
      if (seen.has(element)) return isFrame ? ['frame'] : ['again', seen.get(element)];
      seen.set(element, seen.size);
      if (isFrame) return ['stop', 'unknown'];
      current = element;
      const isSeen = () => isShown(element) && (hasCaret(element) || hasChanged(element));
      if (isSeen()) return ['stop', 'visible'];
      await endTransitions(related(element));
      if (active() !== element) return ['moved'];
      if (isSeen()) return ['stop', 'visible'];
      // A field that nobody sees may be a trap for robots, which says so to those who reach it.
      const isUnknown = isShown(element) ? isCovered(element) : isText(element);
      if (isUnknown) return ['stop', 'unknown'];
      return ['stop', isOutside(element) ? 'outside' : 'unchanged'];
    },
    // Takes the focus from the current element, or gives it back; says whether it is as wanted.
    async leave() {
      current.blur();
      await endTransitions();
      return active() === null;
    },
    async enter() {
      current.focus({ preventScroll: true });
      await endTransitions();
      const is = active() === current;
      focused = 0;
      return is;
    },
    // Scripts that move something have moved it when this ends.
    frames: frame,
    current: () => current,
  };
})()
