//! An llms.txt that is there can be read.

use crate::check::{Evidence, Outcome};
use crate::common::robots::llms_txt::{self, LlmsTxt};
use crate::declare_check;
use crate::site::{ProbeAnswer, Site};

declare_check! {
    /// ## What it checks
    /// A file `/llms.txt`, where there is one, is text and not HTML, has at least 50 characters, a
    /// title (`# Name`) and at least one Markdown link.
    ///
    /// ## Why it matters
    /// Tools read the file by this form: title first, then links. A file without them tells an
    /// assistant nothing, and an error page in its place is worse than no file.
    ///
    /// ## How to fix it
    /// Begin the file with `# Name of the site`, add a paragraph about the site, and list the pages
    /// worth reading as `- [Title](https://example.com/page): note`. Send it as `text/plain` or
    /// `text/markdown`. Where there is no file, answer 404.
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
    /// Sites without the file are not judged, nor those that answer every address with a page. The
    /// order of the sections is not looked at.
    ///
    /// ## References
    /// - The /llms.txt file, https://llmstxt.org/
    /// - Chrome for Developers, Lighthouse: llms.txt
    LLMS_TXT_INVALID {
        id: "llms-txt-invalid",
        title: "An llms.txt that tools cannot read",
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
    match LlmsTxt::of(site) {
        LlmsTxt::Missing => Outcome::NotApplicable,
        LlmsTxt::Unknown => Outcome::CannotTell("Nobody can tell whether there is an llms.txt."),
        LlmsTxt::ServerError(status) => failed(site, &format!("/llms.txt answers {status}.")),
        LlmsTxt::Html => failed(
            site,
            "/llms.txt is an HTML page; Markdown text is expected.",
        ),
        LlmsTxt::Text(text, answer) => Outcome::from_failures(faults(&text, answer).into()),
    }
}

fn failed(site: &Site, message: &str) -> Outcome {
    let url = crate::address::at_origin(&site.start, "/llms.txt");
    Outcome::failed(vec![Evidence::here().at(url).message(message)])
}

fn faults(text: &str, answer: &ProbeAnswer) -> Vec<Evidence> {
    let characters = text.trim().chars().count();
    let mut found = Vec::new();
    if characters < FEWEST_CHARACTERS {
        found.push(format!(
            "The file has {characters} characters; at least {FEWEST_CHARACTERS} are expected."
        ));
    }
    if !llms_txt::has_title(text) {
        found.push(
            "The file has no title; a line such as \"# Name of the site\" is expected.".to_owned(),
        );
    }
    if llms_txt::links(text).is_empty() {
        found.push("The file has no Markdown link.".to_owned());
    }
    found
        .into_iter()
        .map(|message| Evidence::here().at(answer.url.as_str()).message(message))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn judged(answer: &str) -> Tallied {
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
        let tallied = judged(&format!(
            "{TEXT}# Name\n\n> About the site in one sentence.\n\n## Docs\n- [A](/a.md)"
        ));
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn each_fault_is_told() {
        let tallied = judged(&format!("{TEXT}Hello"));
        assert_eq!(tallied.findings[0].occurrences_total, 3);
    }

    #[test]
    fn html_and_server_errors_fail() {
        assert_eq!(
            judged("<!doctype html><title>Home</title><p>Home").affected,
            1
        );
        assert_eq!(judged("HTTP/1.1 503 Unavailable\n\n").affected, 1);
    }

    #[test]
    fn text_sent_as_html_is_still_text() {
        let tallied = judged(
            "HTTP/1.1 200 OK\nContent-Type: text/html\n\n# Name\n\nAbout the site in one sentence.\n\n- [A](/a.md)",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
