//! Sites without an llms.txt.

use crate::check::{Evidence, Outcome};
use crate::common::robots::llms_txt::LlmsTxt;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site has a file `/llms.txt`.
    ///
    /// ## Why it matters
    /// The file is a new convention: a Markdown overview that shows an AI assistant what the site
    /// is about and which pages to read. Few assistants request it automatically, but developers
    /// give it to their tools.
    ///
    /// ## How to fix it
    /// Leave the file out if you do not want to offer it. To offer it, put a Markdown file at `/llms.txt` with a
    /// title (`# Name of the site`), one paragraph about the site, and lists of links with a note for each link.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
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
    /// - [Timetable](https://example.com/timetable.md): all crossings
    /// ```
    ///
    /// ## Limits
    /// This check is never part of the score. A site that responds to every URL with a page counts
    /// as a site without the file.
    ///
    /// ## Also known as
    /// - Common name: llms.txt not found
    ///
    /// ## References
    /// - The /llms.txt file, https://llmstxt.org/
    /// - Chrome for Developers, Lighthouse: llms.txt
    LLMS_TXT_MISSING {
        id: "llms-txt-missing",
        title: "Missing llms.txt",
        dimension: AiReadiness,
        scope: Origin,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    match LlmsTxt::new(site) {
        LlmsTxt::Missing => Outcome::failed(vec![
            Evidence::here().message("The site has no file /llms.txt; the file is optional."),
        ]),
        LlmsTxt::Text(..) => Outcome::Passed,
        LlmsTxt::ServerError(_) | LlmsTxt::Html => Outcome::NotApplicable,
        LlmsTxt::Unknown => Outcome::CannotTell("It is unknown whether the site has an llms.txt."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_missing_file_is_reported_without_affecting_the_score() {
        assert_eq!(audit(&LLMS_TXT_MISSING, "=== /\n<p>x").findings.len(), 1);
        assert_eq!(LLMS_TXT_MISSING.severity, domain::Severity::Info);
    }

    #[test]
    fn a_forbidden_file_gives_cannot_tell() {
        let site = "=== /\n<p>x\n=== /llms.txt\nHTTP/1.1 403 Forbidden\n\n";
        let tallied = audit(&LLMS_TXT_MISSING, site);
        assert!(tallied.findings.is_empty() && tallied.unjudged.is_some());
    }

    #[test]
    fn a_broken_file_is_not_missing() {
        let site = "=== /\n<p>x\n=== /llms.txt\nHTTP/1.1 500 Error\n\n";
        assert!(audit(&LLMS_TXT_MISSING, site).findings.is_empty());
    }
}
