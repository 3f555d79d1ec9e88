//! The page declares its character encoding.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::gather::media_type;
use crate::page::EncodingSource;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A byte order mark, `charset` in the `Content-Type` header, or a `meta` element or XML
    /// declaration within the first 1,024 bytes declares the character encoding.
    ///
    /// ## Why it matters
    /// Browsers and search engines guess the encoding if the page does not declare it. A wrong
    /// guess garbles accented letters and punctuation.
    ///
    /// ## How to fix it
    /// Make `<meta charset="utf-8">` the first element of the head, or send `Content-Type:
    /// text/html; charset=utf-8`.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html
    ///
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not verify that the declared encoding matches the bytes of the document. A declaration
    /// that `document.write` adds is not seen. XHTML served as XML is UTF-8 by default and passes. In
    /// rendered mode, too, the check judges the bytes of the response, which browsers decode before scripts
    /// run.
    ///
    /// ## Also known as
    /// - Lighthouse: `charset`
    ///
    /// ## References
    /// - HTML Standard, determining the character encoding
    /// - Lighthouse audit charset
    CHARSET_MISSING {
        id: "charset-missing",
        title: "Character encoding missing or declared too late",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let source = page.document().encoding_source;
    let declared = !matches!(source, EncodingSource::Guess | EncodingSource::LateMeta)
        || media_type(page.headers().get("content-type")) == "application/xhtml+xml"
        || has_xml_encoding(page.source());
    Outcome::pass_if(declared, || match late_declaration(page) {
        Some(meta) => Evidence::node(meta).message(
            "The encoding is declared after the first 1,024 bytes; expected it within them.",
        ),
        None => Evidence::here()
            .message("Neither the document nor the response headers declare a character encoding."),
    })
}

/// Whether the source starts with an XML declaration that has an encoding, such as
/// `<?xml version="1.0" encoding="utf-8"?>`. The HTML Standard calls this "get an XML encoding".
fn has_xml_encoding(source: &str) -> bool {
    source
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once('>'))
        .is_some_and(|(declaration, _)| declaration.contains("encoding"))
}

fn late_declaration(page: &Page) -> Option<ElementRef<'_>> {
    page.html("meta")
        .find(|meta| meta.has_attr("charset") || meta.attr_is("http-equiv", "content-type"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome_of};

    #[test]
    fn a_header_or_a_meta_passes() {
        assert_passes(&CHARSET_MISSING, "<meta charset=utf-8><p>x");
        assert_passes(
            &CHARSET_MISSING,
            "<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=ISO-8859-1'><p>x",
        );
        let page = Page::builder()
            .header("Content-Type", "text/html;charset=UTF-8")
            .html("<p>x");
        assert_eq!(outcome_of(&CHARSET_MISSING, &page), Outcome::Passed);
    }

    #[test]
    fn an_xml_declaration_passes() {
        assert_passes(
            &CHARSET_MISSING,
            "<?xml version='1.0' encoding='UTF-8'?><!doctype html><p>x",
        );
    }

    #[test]
    fn a_page_without_a_declaration_fails() {
        assert_fails(&CHARSET_MISSING, "<!doctype html><p>x", 1);
    }

    #[test]
    fn a_declaration_after_1024_bytes_fails() {
        let html = format!("<head><!--{}--><meta charset=utf-8>", "x".repeat(1024));
        assert_fails(&CHARSET_MISSING, &html, 1);
    }
}
