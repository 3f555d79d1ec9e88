//! Edits of HTML text that keep everything else as it is.

/// Replaces each start tag of this name by what `change` makes of it.
pub(crate) fn map_tags(html: &str, name: &str, change: impl Fn(&str) -> String) -> String {
    let open = format!("<{name}");
    let mut parts = html.split(open.as_str());
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('>') {
            Some((inside, rest))
                if inside.is_empty() || inside.starts_with([' ', '\n', '\t', '/']) =>
            {
                out.push_str(&change(&format!("{open}{inside}>")));
                out.push_str(rest);
            }
            _ => {
                out.push_str(&open);
                out.push_str(part);
            }
        }
    }
    out
}

/// Removes the start tags of this name that contain a text.
pub(crate) fn remove_tags(html: &str, name: &str, with: &str) -> String {
    map_tags(html, name, |tag| {
        if tag.contains(with) {
            String::new()
        } else {
            tag.to_owned()
        }
    })
}

/// Removes an attribute from each start tag of this name.
pub(crate) fn remove_attribute(html: &str, name: &str, attribute: &str) -> String {
    map_tags(html, name, |tag| {
        let Some((before, after)) = tag.split_once(&format!(" {attribute}=")) else {
            return tag.to_owned();
        };
        let mut rest = after.chars();
        let after = match rest.next() {
            Some(quote @ ('"' | '\'')) => rest.as_str().split_once(quote).map(|(_, rest)| rest),
            _ => after.find([' ', '>']).and_then(|end| after.get(end..)),
        };
        after.map_or_else(|| tag.to_owned(), |after| format!("{before}{after}"))
    })
}

/// Removes each element of this name with its content.
pub(crate) fn remove_elements(html: &str, name: &str) -> String {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let (mut out, mut rest) = (String::new(), html);
    while let Some((before, after)) = rest.split_once(open.as_str()) {
        out.push_str(before);
        rest = after
            .split_once(close.as_str())
            .map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// The texts of an element of this name: before it, its start tag, its content, and from its end tag on.
pub(crate) fn split_element<'a>(html: &'a str, name: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, after) = html.split_once(&format!("<{name}"))?;
    let (_, content) = after.split_once('>')?;
    let (content, _) = content.split_once(&format!("</{name}>"))?;
    let end = before.len() + html.get(before.len()..)?.find(content)?;
    Some((html.get(..end)?, content, html.get(end + content.len()..)?))
}

/// Replaces the content of the first element of this name.
pub(crate) fn replace_content(html: &str, name: &str, change: impl Fn(&str) -> String) -> String {
    match split_element(html, name) {
        Some((before, content, after)) => format!("{before}{}{after}", change(content)),
        None => html.to_owned(),
    }
}

/// Headings become paragraphs.
pub(crate) fn remove_headings(html: &str) -> String {
    (1..=6).fold(html.to_owned(), |html, level| {
        map_tags(&html, &format!("h{level}"), |_| "<p>".to_owned())
            .replace(&format!("</h{level}>"), "</p>")
    })
}
