//! A strict reader of the pages: elements, attributes and text as the templates write them.

/// An element's start, with its attributes in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
}

/// Elements that no page has.
const NO_ELEMENTS: [&str; 9] = [
    "style",
    "iframe",
    "frame",
    "object",
    "embed",
    "base",
    "template",
    "math",
    "foreignobject",
];
/// Attributes that no page has, beside those that begin with `on`.
const NO_ATTRIBUTES: [&str; 5] = ["style", "srcdoc", "formaction", "ping", "srcset"];
/// Attributes with an address.
const ADDRESSES: [&str; 5] = ["href", "src", "action", "data", "xlink:href"];

/// Reads a page.
///
/// # Errors
/// What it has that no page may have: markup that the templates do not write, and anything that the policy forbids or
/// that loads from elsewhere.
pub(super) fn read(html: &str) -> Result<Vec<Tag>, String> {
    let mut rest = html
        .strip_prefix("<!doctype html>")
        .ok_or("no doctype at the beginning")?;
    let mut tags: Vec<Tag> = Vec::new();
    loop {
        let Some((text, after)) = rest.split_once('<') else {
            check_text(rest)?;
            return Ok(tags);
        };
        check_text(text)?;
        let is_script = tags.last().is_some_and(|tag| tag.name == "script");
        if is_script && !(text.is_empty() && after.starts_with("/script>")) {
            return Err("an inline script".to_owned());
        }
        if let Some(end) = after.strip_prefix('/') {
            let (name, after) = end.split_once('>').ok_or("an open end tag")?;
            if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                return Err(format!("an end tag {name:?}"));
            }
            if name == "script" {
                tags.push(named("/script"));
            }
            rest = after;
            continue;
        }
        let (tag, after) = tag(after)?;
        check(&tag)?;
        tags.push(tag);
        rest = after;
    }
}

fn named(name: &str) -> Tag {
    Tag {
        name: name.to_owned(),
        attributes: Vec::new(),
    }
}

fn check_text(text: &str) -> Result<(), String> {
    if text.contains('>') {
        return Err(format!("markup in {text:?}"));
    }
    for after in text.split('&').skip(1) {
        let is_reference = after.split_once(';').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.len() < 10
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
        });
        if !is_reference {
            return Err(format!("an ampersand in {text:?}"));
        }
    }
    Ok(())
}

/// The tag whose text behind `<` begins here, and what follows it.
fn tag(text: &str) -> Result<(Tag, &str), String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
    let split = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(split(text));
    let mut tag = named(name);
    if name.is_empty() {
        return Err(format!("a bare < before {:?}", text.get(..20)));
    }
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>").or_else(|| rest.strip_prefix('>')) {
            return Ok((tag, after));
        }
        let (attribute, after) = rest.split_at(split(rest));
        if attribute.is_empty() {
            return Err(format!("no attribute in <{name}: {:?}", rest.get(..20)));
        }
        let value = match after.strip_prefix('=') {
            None => {
                rest = after;
                ""
            }
            Some(after) => {
                let quoted = after
                    .strip_prefix('"')
                    .and_then(|text| text.split_once('"'));
                let (value, after) =
                    quoted.ok_or_else(|| format!("{attribute} of {name} without quotes"))?;
                rest = after;
                value
            }
        };
        if value.contains(['<', '>']) {
            return Err(format!("markup in {attribute} of {name}: {value:?}"));
        }
        check_text(value)?;
        tag.attributes.push((attribute.to_owned(), decoded(value)));
    }
}

fn check(tag: &Tag) -> Result<(), String> {
    if NO_ELEMENTS.contains(&tag.name.to_lowercase().as_str()) {
        return Err(format!("an element {}", tag.name));
    }
    if tag.name == "script" && !tag.attributes.iter().any(|(name, _)| name == "src") {
        return Err("an inline script".to_owned());
    }
    let mut seen = Vec::new();
    for (name, value) in &tag.attributes {
        let lower = name.to_lowercase();
        if lower.starts_with("on") || NO_ATTRIBUTES.contains(&lower.as_str()) {
            return Err(format!("an attribute {name} of {}", tag.name));
        }
        if seen.contains(&lower) {
            return Err(format!("two attributes {name} of {}", tag.name));
        }
        let is_own = (value.starts_with('/') && !value.starts_with("//")) || value.starts_with('#');
        let is_link =
            tag.name == "a" && (value.starts_with("https://") || value.starts_with("http://"));
        // A QR code is an image within the page.
        let is_image = tag.name == "img" && value.starts_with("data:image/svg+xml;base64,");
        if ADDRESSES.contains(&lower.as_str()) && !is_own && !is_link && !is_image {
            return Err(format!("an address {value:?} in {}", tag.name));
        }
        seen.push(lower);
    }
    Ok(())
}

/// A text without character references.
pub(super) fn decoded(text: &str) -> String {
    let mut decoded = text.to_owned();
    for (reference, character) in [
        ("&#60;", "<"),
        ("&lt;", "<"),
        ("&#62;", ">"),
        ("&gt;", ">"),
        ("&#34;", "\""),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ] {
        decoded = decoded.replace(reference, character);
    }
    decoded
}

/// The values of an attribute of all elements of that name.
pub(super) fn values(html: &str, element: &str, attribute: &str) -> Vec<String> {
    let Ok(tags) = read(html) else {
        return Vec::new();
    };
    let tags = tags.into_iter().filter(|tag| tag.name == element);
    tags.flat_map(|tag| tag.attributes)
        .filter(|(name, _)| name == attribute)
        .map(|(_, value)| value)
        .collect()
}

/// Whether a path has the form of a route's.
pub(super) fn is_of(route: &str, path: &str) -> bool {
    let parts = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
    let (wanted, given) = (parts(route), parts(path.split(['?', '#']).next().unwrap()));
    wanted.len() == given.len()
        && (wanted.iter().zip(&given)).all(|(one, other)| one == other || one.starts_with('{'))
}

#[test]
fn what_pages_may_not_have_is_found() {
    let read = |body: &str| read(&format!("<!doctype html><p>{body}</p>"));
    for fine in [
        "a &#60; b &amp; c",
        "<a href=\"https://a.example/\">a</a>",
        "<input required value=\"&#34;\">",
        "<script src=\"/assets/a.js\" defer></script>b",
    ] {
        assert!(read(fine).is_ok(), "{fine}");
    }
    for wrong in [
        "<script>alert(1)</script>",
        "<script src=\"/a.js\">alert(1)</script>",
        "<script src=\"https://a.example/a.js\"></script>",
        "<b style=\"color:red\">a</b>",
        "<b onclick=\"a()\">a</b>",
        "<b class=a>a</b>",
        "<b class=\"a\" class=\"b\">a</b>",
        "<a href=\"javascript:a()\">a</a>",
        "<a href=\"//a.example\">a</a>",
        "<img src=\"https://a.example/a.png\">",
        "<form action=\"https://a.example/\">",
        "a < b",
        "a > b",
        "a & b",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
