//! An llms.txt without the recommended structure.

use crate::check::{Evidence, Outcome};
use crate::common::robots::llms_txt::{self, LlmsTxt};
use crate::declare_check;
use crate::site::{ProbeAnswer, Site};

declare_check! {
    /// ## What it checks
    /// If the site has a file `/llms.txt`, it is text and not HTML, has at least 50 characters, a
    /// title (`# Name`) and at least one Markdown link.
    ///
    /// ## Why it matters
    /// Tools expect this structure: first the title, then links. A file without them gives an AI
    /// assistant no information, and an error page in its place is worse than no file.
    ///
    /// ## How to fix it
    /// Start the file with `# Name of the site`, add a paragraph about the site, and list the pages
    /// worth reading as `- [Title](https://example.com/page): note`. Send it as `text/plain` or
    /// `text/markdown`. If the site has no such file, respond with 404.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /llms.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// Welcome to the site of the harbour ferries. Please read all of our pages with care.
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /llms.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// # Harbour Ferries
    ///
    /// > Two ferries that cross the bay every day.
    ///
    /// - [Timetable](https://example.com/timetable.md): all crossings
    /// ```
    ///
    /// ## Limits
    /// Sites without the file are not checked, nor are sites that respond to every URL with a page.
    /// The order of the sections is not checked.
    ///
    /// ## Also known as
    /// - Lighthouse: `llms-txt`
    ///
    /// ## References
    /// - The /llms.txt file, https://llmstxt.org/
    /// - Chrome for Developers, Lighthouse: llms.txt
    LLMS_TXT_INVALID {
        id: "llms-txt-invalid",
        title: "Invalid llms.txt",
        dimension: AiReadiness,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

const FEWEST_CHARACTERS: usize = 50;

fn evaluate(site: &Site) -> Outcome {
    match LlmsTxt::new(site) {
        LlmsTxt::Missing => Outcome::NotApplicable,
        LlmsTxt::Unknown => Outcome::CannotTell("It is unknown whether the site has an llms.txt."),
        LlmsTxt::ServerError(status) => failed(
            site,
            &format!("/llms.txt returns status {status}; expected 200 or 404."),
        ),
        LlmsTxt::Html => failed(site, "/llms.txt is an HTML page; expected Markdown text."),
        LlmsTxt::Text(text, response) => {
            Outcome::from_failures(format_errors(&text, response).into())
        }
    }
}

fn failed(site: &Site, message: &str) -> Outcome {
    let url = crate::address::at_origin(&site.start, "/llms.txt");
    Outcome::failed(vec![Evidence::here().at(url).message(message)])
}

fn format_errors(text: &str, response: &ProbeAnswer) -> Vec<Evidence> {
    let characters = text.trim().chars().count();
    let mut found = Vec::new();
    if characters < FEWEST_CHARACTERS {
        found.push(format!(
            "The file has {characters} characters; expected at least {FEWEST_CHARACTERS}."
        ));
    }
    if !llms_txt::has_title(text) {
        found.push(
            "The file has no title; expected a line such as \"# Name of the site\".".to_owned(),
        );
    }
    if llms_txt::links(text).is_empty() {
        found.push("The file has no Markdown link; expected at least one.".to_owned());
    }
    found
        .into_iter()
        .map(|message| Evidence::here().at(response.url.as_str()).message(message))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(answer: &str) -> Tallied {
        audit(
            &LLMS_TXT_INVALID,
            &format!("=== /\n<p>x\n=== /llms.txt\n{answer}"),
        )
    }

    const TEXT: &str = "HTTP/1.1 200 OK\nContent-Type: text/plain\n\n";

    #[test]
    fn a_site_without_the_file_is_not_applicable() {
        let tallied = audit(&LLMS_TXT_INVALID, "=== /\n<p>x");
        assert_eq!((tallied.applicable, tallied.unjudged), (0, None));
    }

    #[test]
    fn title_and_links_pass() {
        let tallied = audited(&format!(
            "{TEXT}# Name\n\n> About the site in one sentence.\n\n## Docs\n- [A](/a.md)"
        ));
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn each_format_error_is_reported() {
        let tallied = audited(&format!("{TEXT}Hello"));
        assert_eq!(tallied.findings[0].occurrences_total, 3);
    }

    #[test]
    fn html_and_server_errors_fail() {
        assert_eq!(
            audited("<!doctype html><title>Home</title><p>Home").affected,
            1
        );
        assert_eq!(audited("HTTP/1.1 503 Unavailable\n\n").affected, 1);
    }

    #[test]
    fn text_with_an_html_content_type_passes() {
        let tallied = audited(
            "HTTP/1.1 200 OK\nContent-Type: text/html\n\n# Name\n\nAbout the site in one sentence.\n\n- [A](/a.md)",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
