//! The page renders in standards mode.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::dom::Quirks;
use crate::gather::media_type;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The document begins with a doctype that selects standards mode in browsers, such as
    /// `<!doctype html>`.
    ///
    /// ## Why it matters
    /// Without such a doctype, browsers render the page in quirks mode, which imitates browser bugs
    /// of the 1990s. Box sizes, tables and line heights differ from what the style sheets specify.
    ///
    /// ## How to fix it
    /// Make `<!doctype html>` the first line of the document, then verify the layout, because it
    /// can shift.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// Older doctypes that select standards mode or limited-quirks mode, such as HTML 4.01 Strict and XHTML
    /// 1.0, pass. The check skips documents served as XHTML, because they have no quirks mode. In rendered
    /// mode, too, the check judges the response: scripts cannot change the mode of a document.
    ///
    /// ## Also known as
    /// - Lighthouse: `doctype`
    ///
    /// ## References
    /// - HTML Standard, the doctype, and the "initial" insertion mode
    /// - Lighthouse audit doctype
    DOCTYPE_MISSING {
        id: "doctype-missing",
        title: "Missing or legacy doctype triggers quirks mode",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if media_type(page.headers().get("content-type")) == "application/xhtml+xml" {
        return Outcome::NotApplicable;
    }
    Outcome::pass_if(page.dom().quirks() != Quirks::Full, || {
        Evidence::here().message(match page.dom().doctype() {
            None => "The document has no doctype, so browsers use quirks mode.",
            Some(_) => {
                "The doctype of the document selects quirks mode; expected `<!doctype html>`."
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome_of};

    #[test]
    fn the_html_doctype_passes() {
        assert_passes(&DOCTYPE_MISSING, "<!-- x --><!DOCTYPE HTML><p>x");
    }

    #[test]
    fn a_legacy_doctype_with_standards_mode_passes() {
        for doctype in [
            "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd'>",
            "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'>",
        ] {
            assert_passes(
                &DOCTYPE_MISSING,
                &format!("<?xml version='1.0'?>{doctype}<p>x"),
            );
        }
    }

    #[test]
    fn a_missing_doctype_fails() {
        assert_fails(&DOCTYPE_MISSING, "<html><p>x", 1);
    }

    #[test]
    fn a_doctype_that_selects_quirks_mode_fails() {
        let html = "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'><p>x";
        assert_fails(&DOCTYPE_MISSING, html, 1);
    }

    #[test]
    fn xhtml_is_not_applicable() {
        let page = Page::builder()
            .header("Content-Type", "application/xhtml+xml; charset=utf-8")
            .html("<html xmlns='http://www.w3.org/1999/xhtml'><p>x</p></html>");
        assert_eq!(outcome_of(&DOCTYPE_MISSING, &page), Outcome::NotApplicable);
    }
}
