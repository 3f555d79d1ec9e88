//! Lists of element, class and id names for traits.

/// Elements that join the surrounding text; all others are separated from it by a space.
pub(super) const JOINING: [&str; 27] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
];

/// HTML elements whose native markup may provide an accessible name.
pub(super) const NAMING_THEMSELVES: [&str; 14] = [
    "img", "area", "input", "button", "meter", "output", "progress", "select", "textarea",
    "fieldset", "table", "figure", "option", "optgroup",
];

/// HTML elements that are never rendered.
pub(super) const UNRENDERED: [&str; 14] = [
    "head", "template", "noscript", "script", "style", "title", "meta", "link", "base", "datalist",
    "param", "source", "track", "rp",
];

/// Elements whose content is only a fallback for browsers that do not support the element.
pub(super) const WITH_FALLBACK: [&str; 5] = ["video", "audio", "iframe", "object", "noframes"];

/// Elements whose text is not prose: program code, sample output, and invisible text.
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

/// Elements whose contents are not visible.
pub(super) const UNSEEN: [&str; 13] = [
    "script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "video",
    "audio", "canvas", "datalist",
];

/// Elements outside the main text of a page.
pub(super) const BOILERPLATE: [&str; 6] = ["nav", "header", "footer", "aside", "dialog", "menu"];

/// Class and id names of navigation blocks.
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

/// Class and id names of page headers and footers.
pub(super) const EDGE_NAMES: [&str; 6] = [
    "header",
    "footer",
    "site-header",
    "site-footer",
    "page-footer",
    "colophon",
];

/// Elements that are block containers. A cell, a heading or a phrase called "header" is not a page header.
pub(super) const NAMED_BLOCKS: [&str; 9] = [
    "div", "section", "table", "ul", "ol", "dl", "p", "center", "form",
];

/// Inline elements.
pub(super) const INLINE: [&str; 26] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd",
    "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
];
