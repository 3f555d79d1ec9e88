//! Lists of names of elements, classes and ids that traits are made of.

/// Elements that join the text around them; all others are separated from it by a space.
pub(super) const JOINING: [&str; 27] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
];

/// HTML elements whose own language may name them.
pub(super) const NAMING_THEMSELVES: [&str; 14] = [
    "img", "area", "input", "button", "meter", "output", "progress", "select", "textarea",
    "fieldset", "table", "figure", "option", "optgroup",
];

/// HTML elements that are never rendered.
pub(super) const UNRENDERED: [&str; 14] = [
    "head", "template", "noscript", "script", "style", "title", "meta", "link", "base", "datalist",
    "param", "source", "track", "rp",
];

/// Elements whose content is shown only where a browser cannot show the element itself.
pub(super) const WITH_FALLBACK: [&str; 5] = ["video", "audio", "iframe", "object", "noframes"];

/// Elements whose text is not prose: program text, examples of output, and what nobody sees.
pub(super) const NOT_PROSE: [&str; 25] = [
    "script",
    "style",
    "noscript",
    "template",
    "head",
    "svg",
    "math",
    "iframe",
    "object",
    "video",
    "audio",
    "canvas",
    "datalist",
    "code",
    "pre",
    "samp",
    "kbd",
    "var",
    "tt",
    "textarea",
    "xmp",
    "listing",
    "plaintext",
    "select",
    "noframes",
];

/// Elements whose contents no visitor reads.
pub(super) const UNSEEN: [&str; 13] = [
    "script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "video",
    "audio", "canvas", "datalist",
];

/// Elements outside the main text of a page.
pub(super) const BOILERPLATE: [&str; 6] = ["nav", "header", "footer", "aside", "dialog", "menu"];

/// Names of blocks that hold links to other pages or parts of the page, as class or id.
pub(super) const NAVIGATION_NAMES: [&str; 27] = [
    "nav",
    "navbar",
    "navheader",
    "navfooter",
    "navigation",
    "navbar-nav",
    "topnav",
    "sidenav",
    "bottomnav",
    "nav-links",
    "menu",
    "breadcrumb",
    "breadcrumbs",
    "toc",
    "table-of-contents",
    "tableofcontents",
    "related",
    "sidebar",
    "sphinxsidebar",
    "prev-next",
    "prevnext",
    "previous-next",
    "pager",
    "pagination",
    "page-nav",
    "post-navigation",
    "skip-links",
];

/// Names of blocks at the top and the bottom of pages, as class or id.
pub(super) const EDGE_NAMES: [&str; 6] = [
    "header",
    "footer",
    "site-header",
    "site-footer",
    "page-footer",
    "colophon",
];

/// Elements that are blocks around others; a cell, a heading or a phrase called "header" is none.
pub(super) const NAMED_BLOCKS: [&str; 9] = [
    "div", "section", "table", "ul", "ol", "dl", "p", "center", "form",
];

/// Elements that stand within a line of text.
pub(super) const INLINE: [&str; 26] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd",
    "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
];
