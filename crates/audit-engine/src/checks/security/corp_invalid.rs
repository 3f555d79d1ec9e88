//! `Cross-Origin-Resource-Policy` headers that browsers ignore.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::declare_check;
use crate::gather::Headers;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// If a page or a file of the site has a `Cross-Origin-Resource-Policy` header, its value is
    /// `same-origin`, `same-site` or `cross-origin`.
    ///
    /// ## Why it matters
    /// Browsers ignore any other value. Other sites can then embed the file although the header
    /// was meant to prevent it. A page that requires the header of its files does not load it.
    ///
    /// ## How to fix it
    /// Give `Cross-Origin-Resource-Policy` one value in lower case, and send it once. `same-origin` is
    /// right for most pages and files, `cross-origin` for files that other sites may embed.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Cross-Origin-Resource-Policy: *
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Cross-Origin-Resource-Policy: same-origin
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Responses without the header and files of other sites are not checked. The check does not
    /// judge which of the three values fits: Assay does not know which files are private.
    ///
    /// ## Also known as
    /// - Observatory: `cross-origin-resource-policy-header-invalid`
    ///
    /// ## References
    /// - Fetch Standard, Cross-Origin-Resource-Policy header
    /// - MDN, Cross-Origin-Resource-Policy header
    CORP_INVALID {
        id: "corp-invalid",
        title: "Invalid Cross-Origin-Resource-Policy (CORP)",
        dimension: Security,
        scope: Resource,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

const VALUES: [&str; 3] = ["same-origin", "same-site", "cross-origin"];

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for page in &site.pages {
        if let Some(headers) = &page.headers {
            verdicts.record(page.url.as_str(), outcome(headers));
        }
    }
    let files = site.resources.iter();
    for file in files.filter(|file| file.internal && file.ok()) {
        verdicts.record(file.url.as_str(), outcome(&file.headers));
    }
}

fn outcome(headers: &Headers) -> Outcome {
    let values: Vec<&str> = headers.get_all("cross-origin-resource-policy").collect();
    if values.is_empty() {
        return Outcome::NotApplicable;
    }
    // Browsers compare the whole header, and join several with commas.
    let header = values.join(", ");
    Outcome::pass_if(VALUES.contains(&header.trim()), || {
        Evidence::header("Cross-Origin-Resource-Policy", &header)
            .message(format!(
                "Browsers ignore the Cross-Origin-Resource-Policy header `{header}`; expected same-origin, same-site or cross-origin."
            ))
            .cause(
                header.as_str(),
                format!("Browsers ignore the Cross-Origin-Resource-Policy value {header}"),
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn applicable_and_affected(headers: &str) -> (u64, u64) {
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{headers}\n\n<p>x");
        let tallied = audit(&CORP_INVALID, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn the_three_values_pass() {
        for value in VALUES {
            let header = format!("Cross-Origin-Resource-Policy: {value}");
            assert_eq!(applicable_and_affected(&header), (1, 0), "{value}");
        }
    }

    #[test]
    fn other_values_and_repetitions_fail() {
        for value in ["Same-Origin", "*", "same-origin; x", "none"] {
            let header = format!("Cross-Origin-Resource-Policy: {value}");
            assert_eq!(applicable_and_affected(&header), (1, 1), "{value}");
        }
        const ONE: &str = "Cross-Origin-Resource-Policy: same-site";
        assert_eq!(applicable_and_affected(&format!("{ONE}\n{ONE}")), (1, 1));
    }

    #[test]
    fn no_header_is_not_applicable() {
        assert_eq!(applicable_and_affected("X-Test: 1"), (0, 0));
    }

    #[test]
    fn files_of_the_site_are_judged_and_those_of_others_are_not() {
        const BAD: &str = "HTTP/1.1 200 OK\nCross-Origin-Resource-Policy: any\n\na()";
        let site = format!(
            "=== /\n<script src=/a.js></script><script src=https://e.org/b.js></script>\n=== /a.js\n{BAD}\n=== https://e.org/b.js\n{BAD}"
        );
        let tallied = audit(&CORP_INVALID, &site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
    }
}
