// Runs in a world that the page cannot see, while the page's own scripts are stopped. Finds what pictures are taken of. Places
// are in CSS pixels of the document: left, top, width, height, and last the pixels of a picture for each of them.
globalThis.assayPictures = (() => {
  // Attributes that tell elements of one name from each other.
  const IDENTITY = ["id", "href", "src", "name", "type", "for", "alt", "aria-label"];
  const AROUND = 12;
  const MOST_HEIGHT = 400;

  const view = () => ({
    left: visualViewport.pageLeft,
    top: visualViewport.pageTop,
    width: visualViewport.width,
    height: visualViewport.height,
  });
  const plain = (text) => text.replaceAll('"', "&quot;").replaceAll(/\s+/g, " ").trim();
  const isExcerptOf = (snippet, element) => {
    const name = snippet.match(/^<([^\s>]+)/)?.[1];
    if (name !== element.localName) {
      return false;
    }
    return IDENTITY.every((attribute) => {
      const value = snippet.match(new RegExp(`\\s${attribute}="([^"]*)"`))?.[1];
      if (value === undefined || value.includes("…")) {
        return true;
      }
      return element.hasAttribute(attribute) && plain(element.getAttribute(attribute)) === plain(value);
    });
  };

  return {
    // The window at the top of the page.
    top() {
      scrollTo({ left: 0, top: 0, behavior: "instant" });
      const { left, top, width, height } = view();
      return [left, top, width, height, devicePixelRatio];
    },
    // The element with what is around it, once the window is scrolled to it. Nothing if it is not the element of the
    // excerpt, cannot be seen, or fills the window.
    element(selector, snippet) {
      let found;
      try {
        found = document.querySelectorAll(selector);
      } catch {
        return null;
      }
      if (found.length !== 1 || (snippet !== null && !isExcerptOf(snippet, found[0]))) {
        return null;
      }
      found[0].scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const box = found[0].getBoundingClientRect();
      const shown = view();
      const [x, y] = [box.left + scrollX, box.top + scrollY];
      const right = Math.min(x + box.width, shown.left + shown.width);
      const bottom = Math.min(y + box.height, shown.top + shown.height);
      const isSeen = right - Math.max(x, shown.left) >= 1 && bottom - Math.max(y, shown.top) >= 1;
      if (!isSeen || (box.width >= shown.width && box.height >= shown.height)) {
        return null;
      }
      const left = Math.max(x - AROUND, shown.left);
      const top = Math.max(y - AROUND, shown.top);
      const width = Math.min(x + box.width + AROUND, shown.left + shown.width) - left;
      const height = Math.min(y + box.height + AROUND, shown.top + shown.height, top + MOST_HEIGHT) - top;
      return [left, top, width, height, devicePixelRatio];
    },
  };
})();
