//! Pages that share a text which ought to be each page's own.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::site::{PageFacts, Site};

/// Judges every indexable page that has the text. Pages in different languages share nothing.
pub(crate) fn judge_shared_texts<'a>(
    site: &'a Site,
    verdicts: &mut Verdicts,
    noun: &str,
    text: impl Fn(&'a PageFacts) -> Option<&'a str>,
) {
    let key = |page: &'a PageFacts| {
        let language = page.lang.as_deref().unwrap_or_default();
        let primary = language.split('-').next().unwrap_or_default();
        Some((text(page)?, primary.to_ascii_lowercase()))
    };
    let pages = || site.pages.iter().filter(|page| page.indexable);
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
                Some(twin) => Outcome::Failed(vec![shared(noun, &key, twin, group.len())]),
            },
        );
    }
}

fn shared(noun: &str, key: &(&str, String), twin: &PageFacts, count: usize) -> Evidence {
    let (text, language) = key;
    Evidence::here()
        .snippet(text)
        .message(format!(
            "{count} pages have this {noun}, {} among them.",
            twin.url
        ))
        .cause(
            format!("{language}:{text}"),
            format!("Several pages have the {noun} “{text}”"),
        )
}
