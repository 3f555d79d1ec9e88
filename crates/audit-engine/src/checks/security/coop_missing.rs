//! Sites whose windows other sites keep a hold of.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page comes with a `Cross-Origin-Opener-Policy` header that separates its window
    /// from those of other sites.
    ///
    /// ## Why it matters
    /// A site that opens another one in a new window keeps a handle of that window. It can send it
    /// elsewhere and learn from it what the visitor does.
    ///
    /// ## How to fix it
    /// Send `Cross-Origin-Opener-Policy: same-origin`, or `same-origin-allow-popups` if the site opens
    /// windows of others, for example to pay or to sign in.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Cross-Origin-Opener-Policy: same-origin
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// This is information and not part of the score. The Observatory, too, takes no points for a
    /// missing header or `unsafe-none`. The answer of the start page stands for the site.
    ///
    /// ## References
    /// - HTML Standard, Cross-origin opener policies
    /// - MDN, Cross-Origin-Opener-Policy header
    COOP_MISSING {
        id: "coop-missing",
        title: "Windows are not separated from those of other sites",
        dimension: Security,
        scope: Origin,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

const SEPARATING: [&str; 3] = [
    "same-origin",
    "same-origin-allow-popups",
    "noopener-allow-popups",
];

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(sent) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let headers: Vec<&str> = sent.get_all("cross-origin-opener-policy").collect();
    if headers.is_empty() {
        return Outcome::failed(vec![
            Evidence::here()
                .at(home.url.as_str())
                .message("The start page came without a Cross-Origin-Opener-Policy header."),
        ]);
    }
    // Several headers are read as one list, which is no item and so names no policy.
    let header = &headers.join(", ");
    // A structured item: case-sensitive, parameters behind a semicolon.
    let value = header.split(';').next().unwrap_or_default().trim();
    Outcome::of(SEPARATING.contains(&value), || {
        Evidence::header("Cross-Origin-Opener-Policy", header)
            .at(home.url.as_str())
            .message(format!(
                "The header's value `{value}` does not separate the window; expected is same-origin."
            ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn affected(header: &str) -> u64 {
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{header}\n\n<p>x");
        audit(&COOP_MISSING, &site).affected
    }

    #[test]
    fn separating_values_pass_with_parameters_too() {
        assert_eq!(
            affected("Cross-Origin-Opener-Policy: same-origin-allow-popups"),
            0
        );
        assert_eq!(
            affected("Cross-Origin-Opener-Policy: same-origin; report-to=\"coop\""),
            0
        );
    }

    #[test]
    fn nothing_unsafe_none_and_nonsense_fail() {
        assert_eq!(affected("X-Test: 1"), 1);
        assert_eq!(affected("Cross-Origin-Opener-Policy: unsafe-none"), 1);
        assert_eq!(affected("Cross-Origin-Opener-Policy: Same-Origin"), 1);
    }

    #[test]
    fn the_header_twice_is_no_policy() {
        const ONE: &str = "Cross-Origin-Opener-Policy: same-origin";
        assert_eq!(affected(&format!("{ONE}\n{ONE}")), 1);
    }
}
