//! Lists of element names that traits are made of.

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
