//! How scores are distributed over sites from neglected to excellent.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use audit_engine::gather::{FetchFuture, Fetcher, Headers, Recording, Request};
use domain::Dimension;
use testkit::large_site::{Defect, LargeSite};

use crate::build;
use crate::corpus::{CORPORA, FileSite};
use crate::measure::{self, Scores};
use crate::phrase::SitePhrase;

/// The described sites, from excellent to neglected.
const SITES: [&str; 26] = [
    "golden",
    "golden on 100 pages",
    "a shop put together properly",
    "golden with one broken link on 1 of 100 pages",
    "golden with 3 defects",
    "golden without llms.txt and structured data",
    "golden with one image without alt on 5 of 20 pages",
    "golden with html-parse-errors of no consequence × all",
    "golden without description × all",
    "golden without csp and hsts",
    "golden with 20 defects",
    "golden without security headers",
    "golden with images of 400 KB",
    "golden with robots.txt that keeps AI search crawlers out",
    "golden, large and uncompressed (2 MB a visit)",
    "golden with 10 % of internal links broken",
    "golden with 60 defects",
    "golden with half its pages the same",
    "golden with thin text × all",
    "golden with all images without alt × all, without lang and headings",
    "golden without title, description, viewport and style sheets × all",
    "golden with all text written by scripts",
    "golden with noindex × all",
    "the same shop served without its templates resolved (no title, description, viewport, styles)",
    "golden without title, description, viewport, lang, headings and security headers, with 8 blocking scripts of 200 KB in the head, with images of 400 KB, with placeholder text × all",
    "golden without title, description, viewport, style sheets, lang, headings, doctype, canonical and security headers, with all images without alt × all, with one unlabelled field × all, with one untitled frame × all, with one broken link × all, with thin text × all, with uncompressed, with 8 blocking scripts of 400 KB in the head, with images of 900 KB, with a login form over plain http, with a secret key in its source",
];

/// The pages of the generated site, and its seed.
const GENERATED: (u32, u64) = (300, 1);

/// The generated site as a fetcher.
struct Generated(LargeSite);

impl Fetcher for Generated {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        let document = self.0.answer(request.url.path());
        let mut headers = vec![("content-type", document.media_type)];
        if let Some(location) = &document.location {
            headers.push(("location", location.as_str()));
        }
        let mut recording = Recording::default();
        recording.add(
            &request.url,
            document.status,
            Headers::from_iter(headers),
            document.body,
        );
        let answer = recording.answer(&request);
        Box::pin(std::future::ready(answer))
    }
}

#[expect(clippy::print_stdout, reason = "the lines are what the program is for")]
pub(crate) fn run(corpora: Option<&Path>, max_pages: u32) -> anyhow::Result<ExitCode> {
    let mut sites: Vec<(String, Scores)> = Vec::new();
    let phrases: Vec<SitePhrase> = SITES
        .iter()
        .map(|words| SitePhrase::read(words))
        .collect::<anyhow::Result<_>>()?;
    for (words, phrase) in SITES.iter().zip(&phrases) {
        if let Some(scores) = build::scores(phrase, corpora)? {
            sites.push(((*words).to_owned(), scores));
        }
    }
    let (pages, seed) = GENERATED;
    let generated = LargeSite::new(pages, seed, "https://example.com", &Defect::ALL);
    let external = false;
    let scores = measure::audited(Arc::new(Generated(generated)), max_pages, external)?;
    sites.push((
        format!("generated, {pages} pages with known defects"),
        scores,
    ));
    if let Some(corpora) = corpora {
        for (name, _) in CORPORA {
            let site = FileSite::open(corpora, name, &[])?;
            let scores = measure::audited(Arc::new(site), max_pages, external)?;
            sites.push((name.to_owned(), scores));
        }
    }
    let names: Vec<&str> = Dimension::ALL.iter().map(|one| one.as_str()).collect();
    println!("overall {} pages site", names.join(" "));
    for (name, scores) in &sites {
        let subscores: Vec<String> = Dimension::ALL
            .iter()
            .zip(&names)
            .map(|(dimension, name)| {
                format!("{:>width$}", scores.of(*dimension), width = name.len())
            })
            .collect();
        println!(
            "{:>7} {} {:>5} {}",
            scores.overall,
            subscores.join(" "),
            scores.pages,
            short(name)
        );
    }
    println!("of {} sites: least, quartiles, most", sites.len());
    let all =
        |score: &dyn Fn(&Scores) -> f64| sites.iter().map(|(_, scores)| score(scores)).collect();
    println!(
        "{:>13}: {}",
        "overall",
        distribution(all(&|scores| scores.overall))
    );
    for dimension in Dimension::ALL {
        let values = all(&|scores| scores.of(dimension));
        println!("{:>13}: {}", dimension.as_str(), distribution(values));
    }
    if corpora.is_none() {
        println!("skipped: no corpora");
    }
    Ok(ExitCode::SUCCESS)
}

/// The least value, the quartiles and the most.
fn distribution(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let at = |quarters: usize| values.get(last * quarters / 4).copied().unwrap_or_default();
    let values: Vec<String> = (0..=4).map(|quarters| at(quarters).to_string()).collect();
    values.join(" ")
}

fn short(name: &str) -> String {
    const MOST: usize = 90;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    let short: String = name.chars().take(MOST).collect();
    format!("{short}…")
}
