//! The words that describe a site.
//!
//! A description is a base and what is changed about it: `golden without title, description and viewport × all`,
//! `golden with one broken link on 1 of 100 pages`, `pgdoc with 10 pages audited`. Its parts are separated by
//! commas and `and`, and each is understood alone: `with` or `without`, a number, a size, what is meant, and
//! the pages. A word without a meaning is an error.

use anyhow::{Context, bail, ensure};

use crate::corpus::CORPORA;

/// A described site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SitePhrase {
    pub(crate) base: Base,
    /// The number of its pages, if the words say one.
    pub(crate) pages: Option<u32>,
    /// The number of audited pages, if the words say one.
    pub(crate) audited: Option<u32>,
    pub(crate) items: Vec<Item>,
}

/// What is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Golden,
    Shop,
    Files(&'static str),
}

/// One change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) removed: bool,
    pub(crate) feature: Feature,
    pub(crate) count: Option<u32>,
    pub(crate) percent: Option<u32>,
    pub(crate) bytes: Option<usize>,
    pub(crate) scope: Option<Scope>,
}

/// The pages of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    Pages(u32),
    Start,
}

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    AiSearchKeptOut,
    AiTrainingKeptOut,
    AiUsersKeptOut,
    BlockingScripts,
    BrokenLinks,
    Canonical,
    ContentSecurityPolicy,
    Cookies,
    Defects,
    Description,
    Doctype,
    Forms,
    Frame,
    FramingAllowed,
    HeadEnded,
    HeaderImage,
    Headings,
    HtmlErrors,
    ImageFiles,
    ImagesWithoutText,
    Language,
    LinksWithoutText,
    LlmsTxt,
    MoreDefects,
    NearDuplicates,
    Noindex,
    /// Words that describe the site as it is.
    Nothing,
    PagesMissing,
    PagesSame,
    Placeholder,
    PlainLogin,
    RobotsClosed,
    ScriptText,
    Secret,
    SecurityHeaders,
    ShortTitle,
    SignIn,
    Sitemap,
    StructuredData,
    StyleSheets,
    Templates,
    ThinText,
    Title,
    TransportSecurity,
    Uncompressed,
    UnlabelledFields,
    Viewport,
    VisitBytes,
}

/// The words of each feature: those that must be there, and those that may. The first that fits is meant.
const FEATURES: &[(Feature, &str, &str)] = &[
    (
        Feature::MoreDefects,
        "more",
        "defect severity severities same",
    ),
    (Feature::Defects, "defect", ""),
    (
        Feature::AiTrainingKeptOut,
        "robots.txt training",
        "that keeps crawler out ai",
    ),
    (
        Feature::AiSearchKeptOut,
        "robots.txt search",
        "that keeps crawler out ai engine",
    ),
    (
        Feature::AiUsersKeptOut,
        "robots.txt user",
        "that keeps agent fetcher out ai",
    ),
    (
        Feature::RobotsClosed,
        "robots.txt everything",
        "that close for keeps crawler out",
    ),
    (
        Feature::RobotsClosed,
        "robots.txt everybody",
        "that keeps crawler out",
    ),
    (Feature::LlmsTxt, "llms.txt", ""),
    (Feature::ScriptText, "text scripts", "written by"),
    (Feature::Nothing, "text raw html", ""),
    (Feature::ThinText, "thin", "text content"),
    (
        Feature::ImagesWithoutText,
        "image alt",
        "without alternative text",
    ),
    (
        Feature::ImagesWithoutText,
        "image text",
        "without alternative",
    ),
    (Feature::ImagesWithoutText, "alt", "text attribute"),
    (Feature::HeaderImage, "header image", ""),
    (Feature::ImageFiles, "image", ""),
    (Feature::PlainLogin, "form http", "login sign-in over plain"),
    (Feature::SignIn, "sign-in form", ""),
    (Feature::SignIn, "login form", ""),
    (Feature::Forms, "form", ""),
    (
        Feature::UnlabelledFields,
        "field",
        "unlabelled without label",
    ),
    (Feature::Frame, "frame", "untitled without title"),
    (Feature::FramingAllowed, "framing", "allowed"),
    (Feature::Cookies, "cookie", ""),
    (Feature::ShortTitle, "short title", ""),
    (Feature::Title, "title", ""),
    (Feature::Description, "description", "meta"),
    (Feature::Viewport, "viewport", ""),
    (Feature::StyleSheets, "style", "sheet head"),
    (Feature::StyleSheets, "stylesheet", "head"),
    (Feature::Language, "lang", "attribute"),
    (Feature::Language, "language", ""),
    (
        Feature::HeadEnded,
        "head ended",
        "early by element that does not belong there",
    ),
    (Feature::Headings, "heading", ""),
    (Feature::Noindex, "noindex", ""),
    (Feature::SecurityHeaders, "security header", ""),
    (Feature::ContentSecurityPolicy, "csp", ""),
    (Feature::TransportSecurity, "hsts", ""),
    (Feature::Secret, "secret", "key source"),
    (Feature::BrokenLinks, "link broken", "internal"),
    (Feature::LinksWithoutText, "link text", "without"),
    (Feature::LinksWithoutText, "link name", "without"),
    (
        Feature::PagesMissing,
        "page 404",
        "answering where it is linked",
    ),
    (Feature::NearDuplicates, "near-duplicate", "pair page"),
    (Feature::PagesSame, "page same", ""),
    (Feature::HtmlErrors, "html-parse-error", "no consequence"),
    (Feature::BlockingScripts, "blocking script", "head"),
    (Feature::Uncompressed, "uncompressed", ""),
    (Feature::VisitBytes, "visit", ""),
    (Feature::Templates, "template", "served resolved"),
    (Feature::Canonical, "canonical", "url"),
    (Feature::Doctype, "doctype", ""),
    (Feature::Sitemap, "sitemap", ""),
    (Feature::StructuredData, "structured data", ""),
    (Feature::Placeholder, "placeholder", "text"),
    (Feature::Nothing, "small", ""),
    (Feature::Nothing, "large", ""),
];

/// Words without a meaning of their own.
const STOP: [&str; 15] = [
    "a", "an", "the", "its", "it", "all", "every", "each", "own", "of", "in", "same", "these",
    "with", "for",
];

const NUMBERS: [&str; 10] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

const ORDINALS: [(&str, u32); 6] = [
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("tenth", 10),
    ("twentieth", 20),
];

impl SitePhrase {
    /// Reads a description.
    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        Self::parse(text).with_context(|| format!("cannot read the site: {text}"))
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let plain = text.replace(" (", ", ").replace(')', "");
        let (base, rest) = read_base(&plain);
        let mut phrase = Self {
            base,
            pages: None,
            audited: None,
            items: Vec::new(),
        };
        let mut removed = false;
        let ends_removed = rest.ends_with(" removed");
        let rest = rest.trim_end_matches(" removed");
        let rest = rest.strip_prefix("on ").map_or_else(
            || rest.trim_start_matches(", ").to_owned(),
            |pages| format!("golden on {pages}"),
        );
        for part in rest.split(", ").flat_map(|part| part.split(" and ")) {
            let part = part.trim();
            if part.is_empty() {
                continue;
            }
            let (mode, part) = read_mode(part);
            removed = mode.unwrap_or(removed) || ends_removed;
            phrase.read_part(part, removed)?;
        }
        // The pages at the end are those of every part.
        let last = phrase.items.last().and_then(|item| item.scope);
        for item in &mut phrase.items {
            item.scope = item.scope.or(last);
        }
        Ok(phrase)
    }

    fn read_part(&mut self, part: &str, removed: bool) -> anyhow::Result<()> {
        let (part, scope, of) = read_scope(part);
        if let Some(of) = of {
            self.pages = Some(of);
        }
        let words: Vec<String> = part.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["golden"] => {
                let Some(Scope::Pages(pages)) = scope else {
                    bail!("a number of pages is missing");
                };
                self.pages = Some(pages);
            }
            [count, "page" | "pages", "audited"] => self.audited = Some(number(count)?),
            [count, "page" | "pages"] if number(count).is_ok() => {
                self.pages = Some(number(count)?);
            }
            words => self.items.push(read_item(words, removed, scope)?),
        }
        Ok(())
    }
}

fn read_base(text: &str) -> (Base, &str) {
    let known = [
        ("golden", Base::Golden),
        ("a shop put together properly", Base::Shop),
        ("the same shop", Base::Shop),
        ("a shop", Base::Shop),
    ];
    let files = CORPORA.iter().map(|(name, _)| (*name, Base::Files(name)));
    for (words, base) in known.into_iter().chain(files) {
        if let Some(rest) = text.strip_prefix(words)
            && (rest.is_empty() || rest.starts_with([' ', ',']))
        {
            return (base, rest.trim_start());
        }
    }
    (Base::Golden, text)
}

/// Whether a part says that something is missing, and the rest of it.
fn read_mode(part: &str) -> (Option<bool>, &str) {
    let part = part.strip_prefix("but ").unwrap_or(part);
    let part = part.strip_prefix("served ").unwrap_or(part);
    for (words, removed) in [("without ", true), ("no ", true), ("with ", false)] {
        if let Some(rest) = part.strip_prefix(words) {
            return (Some(removed), rest);
        }
    }
    (None, part)
}

/// The pages at the end of a part, and of how many pages they are.
fn read_scope(part: &str) -> (&str, Option<Scope>, Option<u32>) {
    for all in [" × all", " × all pages", " x all"] {
        if let Some(rest) = part.strip_suffix(all) {
            return (rest, Some(Scope::All), None);
        }
    }
    let Some((before, pages)) = part.rsplit_once(" on ") else {
        return (part, None, None);
    };
    let words: Vec<&str> = pages.split(' ').collect();
    let (scope, of) = match words.as_slice() {
        ["the", "start", "page"] => (Scope::Start, None),
        ["all" | "every", "page" | "pages"] => (Scope::All, None),
        ["all", "of", of, "pages"] | ["all", of, "pages"] => (Scope::All, number(of).ok()),
        [pages, "of", of, "pages"] => match (number(pages), number(of)) {
            (Ok(pages), Ok(of)) => (Scope::Pages(pages), Some(of)),
            _ => return (part, None, None),
        },
        [pages, "page" | "pages"] => match number(pages) {
            Ok(pages) => (Scope::Pages(pages), None),
            Err(_) => return (part, None, None),
        },
        _ => return (part, None, None),
    };
    (before, Some(scope), of)
}

fn read_item(words: &[&str], removed: bool, scope: Option<Scope>) -> anyhow::Result<Item> {
    let mut item = Item {
        removed,
        feature: Feature::Nothing,
        count: None,
        percent: None,
        bytes: None,
        scope,
    };
    let mut names = Vec::new();
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        let unit = rest.peek().copied().unwrap_or_default();
        if let Some(ordinal) = ORDINALS.iter().find(|(own, _)| *own == word) {
            item.percent = Some(100 / ordinal.1);
        } else if word == "half" {
            item.percent = Some(50);
        } else if word == "404" {
            names.push(word);
        } else if let Ok(amount) = number(word) {
            let amount_of =
                |factor: usize| Some(usize::try_from(amount).ok()?.saturating_mul(factor));
            match unit {
                "kb" => item.bytes = amount_of(1_000),
                "mb" => item.bytes = amount_of(1_000_000),
                "%" => item.percent = Some(amount),
                _ => item.count = Some(amount),
            }
            if ["kb", "mb", "%"].contains(&unit) {
                rest.next();
            }
        } else if ["a", "an"].contains(&word) && item.count.is_none() && item.bytes.is_none() {
            item.count = Some(1);
        } else {
            names.push(word);
        }
    }
    let these = ["these"];
    if names == these && item.count.is_some() {
        item.feature = Feature::Defects;
        return Ok(item);
    }
    item.feature = read_feature(&names)?;
    Ok(item)
}

fn read_feature(words: &[&str]) -> anyhow::Result<Feature> {
    let is = |word: &str, key: &str| {
        word.strip_prefix(key)
            .is_some_and(|end| ["", "s", "es", "d"].contains(&end))
    };
    let all_there = |keys: &str| {
        keys.split(' ')
            .all(|key| words.iter().any(|word| is(word, key)))
    };
    let (feature, needed, allowed) = FEATURES
        .iter()
        .find(|(_, needed, _)| all_there(needed))
        .with_context(|| format!("no known change: {}", words.join(" ")))?;
    let unknown: Vec<&str> = words
        .iter()
        .filter(|word| {
            !STOP.contains(word)
                && !needed
                    .split(' ')
                    .chain(allowed.split(' ').filter(|key| !key.is_empty()))
                    .any(|key| is(word, key))
        })
        .copied()
        .collect();
    ensure!(
        unknown.is_empty(),
        "no known meaning of {} in: {}",
        unknown.join(", "),
        words.join(" ")
    );
    Ok(*feature)
}

fn number(word: &str) -> anyhow::Result<u32> {
    if let Some(index) = NUMBERS.iter().position(|own| *own == word) {
        return Ok(u32::try_from(index)?.saturating_add(1));
    }
    Ok(word.replace(',', "").parse()?)
}
