//! Pages that share a text which ought to be each page's own.

use std::collections::{HashMap, HashSet};

use crate::check::{Evidence, Outcome, Verdicts};
use crate::site::{PageFacts, Site, UrlId};

/// Shorter texts, such as a name and a picture, are the same by chance.
pub(crate) const FEWEST_WORDS: u32 = 20;

/// Judges every indexable page that has the text. Pages in different languages share nothing, and
/// a page that repeats another one whole is that check's finding, `content-duplicate-exact`.
pub(crate) fn judge_shared_texts<'a>(
    site: &'a Site,
    verdicts: &mut Verdicts<'_>,
    noun: &str,
    text: impl Fn(&'a PageFacts) -> Option<&'a str>,
) {
    let key = |page: &'a PageFacts| {
        let language = page.lang.as_deref().unwrap_or_default();
        let primary = language.split('-').next().unwrap_or_default();
        Some((text(page)?, primary.to_ascii_lowercase()))
    };
    let copies = copies(site);
    let pages = || {
        site.pages
            .iter()
            .filter(|page| page.indexable && !copies.contains(&page.id))
    };
    let mut groups: HashMap<(&str, String), Vec<&PageFacts>> = HashMap::new();
    for page in pages() {
        if let Some(key) = key(page) {
            groups.entry(key).or_default().push(page);
        }
    }
    for page in pages() {
        let Some(key) = key(page) else { continue };
        let group = groups.get(&key).map(Vec::as_slice).unwrap_or_default();
        let twin = group.iter().take(2).find(|other| other.id != page.id);
        verdicts.judge(
            page.url.as_str(),
            match twin {
                None => Outcome::Passed,
                Some(twin) => Outcome::failed(vec![shared(noun, &key, twin, group.len())]),
            },
        );
    }
}

/// Pages whose main text is that of a page reached earlier.
fn copies(site: &Site) -> HashSet<UrlId> {
    let mut first_with = HashSet::new();
    site.pages
        .iter()
        .filter(|page| page.indexable && page.text_hash != 0 && page.hashed_words >= FEWEST_WORDS)
        .filter(|page| !first_with.insert(page.text_hash))
        .map(|page| page.id)
        .collect()
}

fn shared(noun: &str, key: &(&str, String), twin: &PageFacts, count: usize) -> Evidence {
    let (text, language) = key;
    Evidence::here()
        .snippet(text)
        .message(format!(
            "{} has the same {noun}{}.",
            twin.url,
            match count {
                0..=2 => String::new(),
                3 => ", and one more page".to_owned(),
                more => format!(", and {} more pages", more - 2),
            }
        ))
        .cause(
            format!("{language}:{text}"),
            format!("Several pages have the {noun} “{text}”"),
        )
}
