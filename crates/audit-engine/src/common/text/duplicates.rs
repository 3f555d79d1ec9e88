//! Pages that share a text that should be unique to each page, such as a title.

use std::collections::{HashMap, HashSet};

use crate::check::{Evidence, Outcome, Verdicts};
use crate::site::{PageFacts, Site, UrlId};

/// The minimum number of words of a duplicate. Shorter texts can be the same by chance.
pub(crate) const FEWEST_WORDS: u32 = 20;

/// Evaluates every indexable page that has the text. Pages in different languages are not compared. The
/// check `content-duplicate-exact` reports exact copies of a page, so these are ignored here.
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
            .filter(|page| page.is_indexable() && !copies.contains(&page.id))
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
        verdicts.record(
            page.url.as_str(),
            match twin {
                None => Outcome::Passed,
                Some(twin) => Outcome::failed(vec![shared(noun, &key, twin, group.len())]),
            },
        );
    }
}

/// Pages with the same main text as a page that was crawled earlier.
fn copies(site: &Site) -> HashSet<UrlId> {
    let mut first_with = HashSet::new();
    site.pages
        .iter()
        .filter(|page| {
            page.is_indexable() && page.text_hash != 0 && page.hashed_words >= FEWEST_WORDS
        })
        .filter(|page| !first_with.insert(page.exact_text()))
        .map(|page| page.id)
        .collect()
}

fn shared(noun: &str, key: &(&str, String), twin: &PageFacts, count: usize) -> Evidence {
    let (text, language) = key;
    Evidence::here()
        .snippet(text)
        .message(format!(
            "{} {} the same {noun}.",
            twin.url,
            match count {
                0..=2 => "has".to_owned(),
                3 => "and one more page have".to_owned(),
                more => format!("and {} more pages have", more - 2),
            }
        ))
        .cause(
            format!("{language}:{text}"),
            format!("Several pages have the {noun} “{text}”"),
        )
}
