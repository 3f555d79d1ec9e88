//! Briefs and handoffs about items of which every text is replaced. The property tests and the fuzz
//! target share it.

use std::sync::LazyLock;

use domain::action::{Description, Dossier, HandoffFormat, Instructions, Title};
use domain::ports::CheckGuide;

use super::apart::{Apart, apart};
use super::{HandoffItem, render};
use crate::brief::sample;

/// Made once: fuzzing needs them a thousand times.
static SAMPLES: LazyLock<[(Dossier, CheckGuide); 2]> =
    LazyLock::new(|| [sample::image_alt(), sample::broken_link()]);

/// The samples with every text of the page, the item and the asker replaced by these, in turn. Equal
/// texts stay equal, different addresses different.
pub(crate) fn prompts(texts: &[String]) -> Vec<String> {
    let mut texts = texts.iter().map(String::as_str).cycle();
    let mut next = || texts.next().unwrap_or_default();
    let [(mut images, docs), (mut links, link_docs)] = SAMPLES.clone();
    let mut person = sample::of_a_person();
    poison(&mut images, &mut next);
    poison(&mut links, &mut next);
    poison(&mut person, &mut next);
    let items = [
        HandoffItem {
            dossier: &images,
            docs: Some(&docs),
        },
        HandoffItem {
            dossier: &links,
            docs: None,
        },
        HandoffItem {
            dossier: &person,
            docs: None,
        },
    ];
    let asked = Instructions::parse(&words(next(), 2_000)).unwrap();
    let mut prompts: Vec<_> = HandoffFormat::ALL
        .into_iter()
        .map(|format| render(&items, format))
        .collect();
    prompts.push(crate::brief::render(&images, Some(&docs), asked.as_ref()));
    prompts.push(crate::brief::render(&links, Some(&link_docs), None));
    prompts.push(crate::brief::render(&links, None, asked.as_ref()));
    prompts.push(crate::brief::render(&person, None, asked.as_ref()));
    prompts
}

/// The same prompts about harmless texts, taken apart: texts that are equal for equal, different for
/// different ones.
pub(crate) fn calm(texts: &[String]) -> Vec<Apart> {
    let first = |text| texts.iter().position(|other| other == text);
    let harmless: Vec<_> = texts
        .iter()
        .map(|text| format!("harmless {}", first(text).unwrap_or_default()))
        .collect();
    let prompts = prompts(&harmless);
    prompts
        .iter()
        .map(|prompt| apart(prompt).unwrap())
        .collect()
}

fn poison<'a>(dossier: &mut Dossier, next: &mut impl FnMut() -> &'a str) {
    dossier.item.title = Title::of_finding(next());
    dossier.item.description = Description::parse(&words(next(), 9_000)).unwrap();
    if let Some(issue) = &mut dossier.issue {
        issue.title = next().to_owned();
        issue.description = next().to_owned();
        issue.why = next().to_owned();
        issue.recommendation = next().to_owned();
        for (count, cause) in issue.causes.iter_mut().enumerate() {
            cause.key = next().to_owned();
            cause.message = next().to_owned();
            for (number, place) in cause.occurrences.iter_mut().enumerate() {
                place.url = format!("{count}-{number}{}", next());
                place.selector = Some(next().to_owned());
                place.snippet = Some(next().to_owned());
                place.message = next().to_owned();
            }
        }
    }
    dossier.site_url = Some(address(next()));
}

/// What a person may send: no NUL, and not too long.
fn words(text: &str, most: usize) -> String {
    let words = format!("x{text}").replace('\0', "");
    words.chars().take(most).collect()
}

/// An address that may not stand in a command.
fn address(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".:-".contains(c);
    let end = if text.chars().all(is_plain) { "$" } else { "" };
    format!("https://x{text}{end}/")
}
