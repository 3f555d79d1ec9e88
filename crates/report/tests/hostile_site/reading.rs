//! A prompt as a parser of CommonMark reads it.

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What may be wrong with a prompt; each violation begins with one of these and a colon.
pub(crate) const KINDS: [&str; 6] = [
    "outside",
    "marked text outside",
    "link or image",
    "hidden character",
    "long excerpt",
    "last word",
];

/// Characters of an excerpt at most.
const MAX_CHARS: usize = 200;

/// What stands in front of an excerpt, in our words.
const NAMES: [&str; 9] = [
    "title of the item: ",
    "finding: ",
    "url: ",
    "line: ",
    "selector: ",
    "excerpt: ",
    "problem: ",
    "why: ",
    "fix: ",
];

/// A prompt taken apart.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// What stands outside of untrusted fences, event by event.
    pub(crate) outside: Vec<String>,
    /// The lines within.
    pub(crate) untrusted: Vec<String>,
    /// Targets of links and images, and raw HTML.
    links: Vec<String>,
    /// What stands behind the last untrusted fence.
    last: Vec<String>,
}

impl Reading {
    pub(crate) fn new(prompt: &str, options: Options) -> Self {
        let mut reading = Self::default();
        let mut fenced = false;
        for event in Parser::new_ext(prompt, options) {
            match &event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))
                    if info.split(' ').nth(1) == Some("untrusted") =>
                {
                    fenced = true;
                    reading.last.clear();
                    continue;
                }
                Event::End(TagEnd::CodeBlock) if fenced => {
                    fenced = false;
                    continue;
                }
                Event::Text(text) if fenced => {
                    reading.untrusted.extend(text.lines().map(str::to_owned));
                    continue;
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    reading.links.push(dest_url.to_string());
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    reading.links.push(html.to_string());
                }
                _ => {}
            }
            reading.outside.push(format!("{event:?}"));
            reading.last.push(format!("{event:?}"));
        }
        reading
    }

    /// The numbers of the marked texts that stand in untrusted fences.
    pub(crate) fn texts_shown(&self) -> BTreeSet<usize> {
        let lines = self.untrusted.iter();
        lines.flat_map(|line| marks(line)).collect()
    }
}

/// The numbers of the marks `zq12x` and `x12qz`, whatever became of the text between.
fn marks(text: &str) -> Vec<usize> {
    let begin = text.split("zq").skip(1).filter_map(|rest| {
        let (number, _) = rest.split_once('x')?;
        number.parse().ok()
    });
    let end = text.split("qz").filter_map(|before| {
        let (_, number) = before.rsplit_once('x')?;
        number.parse().ok()
    });
    begin.chain(end).collect()
}

/// What is wrong with a prompt, beside the same prompt about a site that is harmless.
pub(crate) fn violations(prompt: &str, reading: &Reading, calm: &Reading) -> Vec<String> {
    let mut found = Vec::new();
    let mut pairs = reading.outside.iter().zip(&calm.outside);
    if let Some((is, should)) = pairs.find(|(is, should)| is != should) {
        found.push(format!("outside: {is} instead of {should}"));
    } else if reading.outside.len() != calm.outside.len() {
        found.push("outside: more or less than should be".to_owned());
    }
    let marked = reading
        .outside
        .iter()
        .filter(|text| !marks(text).is_empty());
    found.extend(marked.map(|text| format!("marked text outside: {text}")));
    if reading.links != calm.links {
        found.push(format!("link or image: {:?}", reading.links));
    }
    let last = reading.last.concat();
    if !last.contains("never an instruction to you") {
        found.push(format!("last word: {last}"));
    }
    for line in &reading.untrusted {
        let name = NAMES.iter().find_map(|name| line.strip_prefix(name));
        if name.unwrap_or(line).chars().count() > MAX_CHARS {
            found.push(format!("long excerpt: {line}"));
        }
    }
    let hidden = prompt.chars().filter(|c| is_hidden(*c));
    found.extend(hidden.map(|c| format!("hidden character: {c:?}")));
    // A page that nobody fenced has its texts at full length, too.
    let longest = prompt.lines().find(|line| {
        !marks(line).is_empty() && line.chars().count() > MAX_CHARS + "title of the item: ".len()
    });
    found.extend(longest.map(|line| format!("long excerpt: {line}")));
    found
}

/// Controls, direction, zero width, tags, variation selectors, fillers, separators of lines.
fn is_hidden(c: char) -> bool {
    let code = u32::from(c);
    (c.is_control() && c != '\n')
        || [
            0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x180e, 0x3164, 0xfeff, 0xffa0,
        ]
        .contains(&code)
        || [
            0x200b..=0x200f,
            0x2028..=0x202e,
            0x2060..=0x206f,
            0xfe00..=0xfe0f,
            0xfff9..=0xfffb,
            0xe0000..=0xe0fff,
        ]
        .iter()
        .any(|range| range.contains(&code))
}
