//! There is an overview for language models.

use crate::check::{Evidence, Outcome};
use crate::common::robots::llms_txt::LlmsTxt;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site has a file `/llms.txt`.
    ///
    /// ## Why it matters
    /// The file is a young convention: an overview in Markdown that tells an assistant what the site
    /// is and where to read on. Few assistants ask for it by themselves, but developers give it to
    /// their tools.
    ///
    /// ## How to fix it
    /// Nothing has to be fixed. To offer one, put a Markdown file at `/llms.txt` with a title
    /// (`# Name of the site`), one paragraph about the site, and lists of links with a note each.
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
    /// Never part of the score. A site that answers every address with a page counts as having none.
    ///
    /// ## References
    /// - The /llms.txt file, https://llmstxt.org/
    /// - Chrome for Developers, Lighthouse: llms.txt
    LLMS_TXT_MISSING {
        id: "llms-txt-missing",
        title: "There is no llms.txt",
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
    match LlmsTxt::of(site) {
        LlmsTxt::Missing => Outcome::failed(vec![
            Evidence::here().message("The site has no file /llms.txt."),
        ]),
        LlmsTxt::Text(..) => Outcome::Passed,
        LlmsTxt::ServerError(_) | LlmsTxt::Html => Outcome::NotApplicable,
        LlmsTxt::Unknown => Outcome::CannotTell("Nobody can tell whether there is an llms.txt."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn none_is_worth_knowing_and_weighs_nothing() {
        assert_eq!(audit(&LLMS_TXT_MISSING, "=== /\n<p>x").findings.len(), 1);
        assert_eq!(LLMS_TXT_MISSING.severity.weight(), 0);
    }

    #[test]
    fn a_refused_file_cannot_be_told() {
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
