// Runs in a world that the page cannot see, while the page's own scripts are stopped. Makes texts transparent and
// opaque, scrolls to them, and says where they are in a picture of the window.
(() => {
  // Of each text.
  const MOST_LINES = 30;
  const MOST_NODES = 500;
  const MOST_ANCESTORS = 500;
  const MARK = 'data-assay-transparent';
  const all = '*, ::before, ::after, ::placeholder, ::marker';
  // No change is a transition. Everything else that depends on the color of a text stays, such as borders. Of important declarations
  // in style sheets those of a layer win over those of the page.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer assay {
    ${all} { transition: none !important; scroll-behavior: auto !important; caret-color: transparent !important }
    [${MARK}] { -webkit-text-fill-color: transparent !important }
  }`);
  const own = [...document.adoptedStyleSheets];
  const scrolled = new Map();
  let elements = [];
  // The elements whose texts are transparent. To change the styles of all elements of a large page takes longer than a picture.
  let marked = [];

  // Properties of a form may be fields with such a name.
  const getRoot = (element) => Node.prototype.getRootNode.call(element);
  const parent = (element) => element.assignedSlot ?? element.parentElement ?? getRoot(element).host ?? null;
  const lines = (element) => {
    const found = [];
    let left = MOST_NODES;
    for (const node of element.childNodes) {
      if (left-- === 0) break;
      if (node.nodeType === Node.TEXT_NODE && node.data.trim() !== '') {
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
          if (rect.width > 1 && rect.height > 1) found.push(rect);
          if (found.length >= MOST_LINES) return found;
        }
      }
    }
    return found;
  };
  // The element in the document that a style sheet of the document reaches: of a text in shadow trees, the outermost host.
  const inDocument = (element) => {
    let one = element;
    for (let root = getRoot(one); root instanceof ShadowRoot; root = getRoot(one)) one = root.host;
    return one;
  };
  // The scripts of the page are stopped, and do not notice the attribute.
  const mark = (element, isMarked) => Element.prototype.toggleAttribute.call(element, MARK, isMarked);
  const middle = (rects) => {
    const tops = Math.min(...rects.map((rect) => rect.top));
    const bottoms = Math.max(...rects.map((rect) => rect.bottom));
    return (tops + bottoms) / 2;
  };
  const scrollers = (element) => {
    const found = [];
    let left = MOST_ANCESTORS;
    for (let one = parent(element); one && left > 0; one = parent(one), left--) {
      if (one === document.scrollingElement) continue;
      const { overflowX, overflowY } = getComputedStyle(one);
      const scrolls = (value) => value === 'auto' || value === 'scroll';
      if ((scrolls(overflowX) && one.scrollWidth > one.clientWidth) || (scrolls(overflowY) && one.scrollHeight > one.clientHeight)) {
        found.push(one);
      }
    }
    return found;
  };

  // Scrolls until the text is in the middle of the window, if that can be.
  const show = (element) => {
    for (const scroller of scrollers(element)) {
      if (!scrolled.has(scroller)) scrolled.set(scroller, [scroller.scrollLeft, scroller.scrollTop]);
      const rects = lines(element);
      if (rects.length === 0) return;
      const around = scroller.getBoundingClientRect();
      scroller.scrollTop += middle(rects) - (around.top + around.bottom) / 2;
      if (rects[0].left < around.left) scroller.scrollLeft += rects[0].left - around.left;
      if (rects[0].right > around.right) scroller.scrollLeft += rects[0].right - around.right;
    }
    const rects = lines(element);
    if (rects.length > 0) scrollBy({ top: middle(rects) - innerHeight / 2, behavior: 'instant' });
  };
  const size = () => {
    const scale = visualViewport.scale * devicePixelRatio;
    return [Math.floor(visualViewport.width * scale), Math.floor(visualViewport.height * scale)];
  };
  // The lines of a text in the pixels of a picture: left, top, right, bottom.
  const places = (element) => {
    const view = visualViewport;
    const scale = view.scale * devicePixelRatio;
    const place = (length, offset, round) => round((length - offset) * scale) + 0;
    return lines(element).map((rect) => [
      place(rect.left, view.offsetLeft, Math.floor),
      place(rect.top, view.offsetTop, Math.floor),
      place(rect.right, view.offsetLeft, Math.ceil),
      place(rect.bottom, view.offsetTop, Math.ceil),
    ]);
  };
  const isInWindow = (element) => {
    const [width, height] = size();
    return places(element).some(([left, top, right, bottom]) => left < width && right > 0 && top < height && bottom > 0);
  };

  globalThis.assayTexts = {
    begin(...found) {
      elements = found;
      scrolled.set(window, [scrollX, scrollY]);
      document.adoptedStyleSheets = [...own, sheet];
    },
    // Scrolls to the first of these texts that is then in the window, and says which: its place in the list, or the length of
    // the list if none is. What is beside the page is never in the window.
    seek(numbers) {
      const found = numbers.findIndex((number) => {
        show(elements[number]);
        return isInWindow(elements[number]);
      });
      return found < 0 ? numbers.length : found;
    },
    // Whether every image in the window is there.
    ready() {
      return [...document.images].every((image) => {
        if (image.complete) return true;
        const rect = image.getBoundingClientRect();
        return rect.bottom < 0 || rect.top > innerHeight || rect.width * rect.height === 0;
      });
    },
    // The size of a picture, and the lines of each text in its pixels.
    view() {
      return { size: size(), texts: elements.map(places) };
    },
    // Makes these texts transparent, and all others as they were.
    hide(numbers) {
      for (const element of marked) mark(element, false);
      marked = numbers.map((number) => inDocument(elements[number]));
      for (const element of marked) mark(element, true);
    },
    end() {
      this.hide([]);
      for (const [scroller, [left, top]] of scrolled) {
        scroller.scrollTo({ left, top, behavior: 'instant' });
      }
      // The texts must be as before when transitions come back: this brings all styles up to date.
      document.documentElement.offsetHeight;
      document.adoptedStyleSheets = own;
    },
  };
})();
