//! Third-party scripts and style sheets without Subresource Integrity (SRI).

use domain::text::capitalized;
use url::Url;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::party::same_party;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::{ResourceKind, ResourceRef};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Third-party scripts and style sheets have a valid `integrity` attribute, so the browser
    /// rejects a changed file.
    ///
    /// ## Why it matters
    /// A third-party script can do everything on the page that the site's own scripts can. An
    /// attacker who compromises the third-party server controls every page that loads the script
    /// without an integrity check.
    ///
    /// ## How to fix it
    /// Host the file on your own site. Or pin it first: use a URL with a complete version, such as
    /// `chart.js@4.4.1` and not `chart.js@latest` or `chart.js@4`, because the file behind such a URL never
    /// changes. Then add `crossorigin="anonymous"` and `integrity="sha384-…"` with the hash of that file, which
    /// `curl -s URL | openssl dgst -sha384 -binary | openssl base64 -A` prints. A
    /// hash on a URL without a version makes browsers reject the file after its next change.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Tides</title><script src="https://cdn.example.net/chart-4.4.1.js"></script><p>High tide at noon.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Tides</title><script src="https://cdn.example.net/chart-4.4.1.js" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC" crossorigin="anonymous"></script><p>High tide at noon.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Two hosts belong to the same party if they share their registrable domain. Files that a server
    /// generates or its owner changes at any time, such as those of Google Fonts, Google Tag Manager, payment
    /// and chat services, cannot have a fixed hash and are ignored. The result is "cannot tell" for other
    /// files that a program seems to generate from the parameters of the URL, and for files without a version
    /// whose URL is that of a service, such as `analytics.js`. The check does not see scripts that scripts
    /// load. A URL that starts with `//` uses the scheme of the page, so this check does not apply the
    /// Observatory's deduction for it. `mixed-content-active` reports files over plain HTTP. In rendered
    /// mode, too, the check judges the response, because only elements in the markup can be protected there.
    ///
    /// ## Also known as
    /// - Observatory: `sri-not-implemented-but-external-scripts-loaded-securely`
    /// - ZAP: Sub Resource Integrity Attribute Missing
    ///
    /// ## References
    /// - W3C Subresource Integrity
    /// - MDN HTTP Observatory, tests and scoring: Subresource Integrity
    SRI_MISSING {
        id: "sri-missing",
        title: "Missing or ineffective Subresource Integrity (SRI)",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Hosts, with all hosts below them, whose files are generated for each visitor or site, or change without a new
/// URL, so they have no fixed hash.
const WITHOUT_FIXED_FILES: [&str; 50] = [
    "fonts.googleapis.com",
    "www.googletagmanager.com",
    "www.google-analytics.com",
    "ssl.google-analytics.com",
    "pagead2.googlesyndication.com",
    "securepubads.g.doubleclick.net",
    "accounts.google.com",
    "apis.google.com",
    "maps.google.com",
    "maps.googleapis.com",
    "www.google.com",
    "www.gstatic.com",
    "www.recaptcha.net",
    "www.youtube.com",
    "player.vimeo.com",
    "js.stripe.com",
    "www.paypal.com",
    "www.paypalobjects.com",
    "js.braintreegateway.com",
    "challenges.cloudflare.com",
    "static.cloudflareinsights.com",
    "hcaptcha.com",
    "cdn.tailwindcss.com",
    "cdn.cookielaw.org",
    "consent.cookiebot.com",
    "cookiebot.com",
    "kit.fontawesome.com",
    "use.typekit.net",
    "use.fontawesome.com",
    "fast.fonts.net",
    "cloud.typography.com",
    "fonts.bunny.net",
    "connect.facebook.net",
    "platform.twitter.com",
    "platform.linkedin.com",
    "assets.pinterest.com",
    "buttons.github.io",
    "static.hotjar.com",
    "clarity.ms",
    "hs-scripts.com",
    "hsforms.net",
    "hubspot.com",
    "widget.intercom.io",
    "embed.tawk.to",
    "cdn.segment.com",
    "plausible.io",
    "bat.bing.com",
    "polyfill.io",
    "polyfill-fastly.io",
    "js.sentry-cdn.com",
];

fn evaluate(page: &Page) -> Outcome {
    let third_party = page
        .resources()
        .iter()
        .filter(|resource| {
            matches!(
                resource.kind,
                ResourceKind::Script | ResourceKind::Stylesheet
            )
        })
        .filter(|resource| !same_party(&resource.url, page.url()) && has_fixed_content(resource))
        .filter_map(|resource| Some((page.element(resource.node)?, resource)));
    Outcome::for_each(third_party, |(element, resource)| {
        match integrity_problem(element, resource.kind) {
            None => Verdict::Pass,
            Some(problem) if problem == WITHOUT_INTEGRITY && is_generated(&resource.url) => {
                Verdict::CannotTell("A program may generate the file for each request.")
            }
            Some(problem) if problem == WITHOUT_INTEGRITY && is_of_a_service(&resource.url) => {
                Verdict::CannotTell(
                    "The file may be that of a service, which changes it at any time.",
                )
            }
            Some(problem) => Verdict::Fail(evidence(element, resource, problem)),
        }
    })
}

fn has_fixed_content(resource: &ResourceRef) -> bool {
    resource.url.host_str().is_some_and(|host| {
        !WITHOUT_FIXED_FILES.iter().any(|known| {
            host.strip_suffix(known)
                .is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
    })
}

/// Whether a program seems to generate the file: it has parameters other than a version.
fn is_generated(url: &Url) -> bool {
    const VERSIONS: [&str; 6] = ["v", "ver", "version", "rev", "t", "_"];
    url.query_pairs()
        .any(|(name, value)| !value.is_empty() && !VERSIONS.contains(&&*name.to_lowercase()))
}

/// Whether the file seems to be the program of a service, such as that of an analysis of visits: the URL names no
/// version, and says so. Nobody but the service can pin it.
fn is_of_a_service(url: &Url) -> bool {
    const WORDS: [&str; 16] = [
        "ads",
        "analytics",
        "beacon",
        "chat",
        "consent",
        "embed",
        "gtag",
        "loader",
        "metrics",
        "pixel",
        "sdk",
        "stats",
        "tag",
        "tracker",
        "tracking",
        "widget",
    ];
    let host = url.host_str().unwrap_or_default();
    let parts = [host, url.path()].into_iter();
    let mut words = parts.flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric()));
    !is_pinned(url)
        && words.any(|word| {
            let word = word
                .strip_suffix('s')
                .filter(|one| WORDS.contains(one))
                .unwrap_or(word);
            WORDS.contains(&word)
        })
}

/// Whether the URL names one version of the file: a version of three numbers, or a hash.
fn is_pinned(url: &Url) -> bool {
    let path = url.path();
    let text = format!("{path}?{}", url.query().unwrap_or_default());
    let is_version = |part: &str| {
        let numbers = part.split('.').take_while(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        numbers.count() >= 3
    };
    let is_hash = |part: &str| {
        part.len() >= 8
            && part.bytes().all(|byte| byte.is_ascii_hexdigit())
            && part.bytes().any(|byte| byte.is_ascii_digit())
    };
    // What is between the signs that set a version off: `lib@1.2.3/`, `lib-1.2.3.js`, `v1.2.3`, `lib.1a2b3c4d.js`.
    let parts = text.split(['/', '@', '-', '_', '=', '?', '&', '+']);
    parts
        .map(|part| part.trim_start_matches(['v', 'V']))
        .any(|part| is_version(part) || part.split('.').any(is_hash) || has_version_within(part))
}

/// Whether a version follows a name with a dot, such as in `jquery.3.7.1.min.js`.
fn has_version_within(part: &str) -> bool {
    let mut run = 0;
    part.split('.').any(|piece| {
        let is_number = !piece.is_empty() && piece.bytes().all(|byte| byte.is_ascii_digit());
        run = if is_number { run + 1 } else { 0 };
        run >= 3
    })
}

const WITHOUT_INTEGRITY: &str = "has no integrity attribute";

fn integrity_problem(element: ElementRef<'_>, kind: ResourceKind) -> Option<&'static str> {
    let integrity = element.attr("integrity").unwrap_or_default();
    let module = kind == ResourceKind::Script && element.attr_is("type", "module");
    if integrity.trim().is_empty() {
        Some(WITHOUT_INTEGRITY)
    } else if !integrity.split_ascii_whitespace().any(is_hash) {
        Some(
            "has an integrity attribute without a sha256, sha384 or sha512 hash, so browsers ignore it",
        )
    } else if !module && !element.has_attr("crossorigin") {
        Some("has an integrity attribute but no crossorigin attribute, so browsers block the file")
    } else {
        None
    }
}

fn is_hash(token: &str) -> bool {
    ["sha256-", "sha384-", "sha512-"].iter().any(|prefix| {
        token
            .get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && token.len() > prefix.len()
    })
}

fn evidence(element: ElementRef<'_>, resource: &ResourceRef, problem: &str) -> Evidence {
    let (kind, url) = (resource.kind.as_str(), resource.url.as_str());
    let first = if is_pinned(&resource.url) {
        ""
    } else {
        " The URL names no complete version, so the file may change: pin a version before adding a hash."
    };
    Evidence::node(element)
        .message(format!("The third-party {kind} {url} {problem}.{first}"))
        .cause(url, format!("{} {problem}: {url}", capitalized(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn third_party_scripts_and_styles_without_integrity_fail() {
        assert_fails(
            &SRI_MISSING,
            "<script src=https://e.org/a.js></script><link rel=stylesheet href=https://e.org/a.css>",
            2,
        );
    }

    #[test]
    fn integrity_with_crossorigin_passes() {
        assert_passes(
            &SRI_MISSING,
            "<script src=https://e.org/a.js integrity=sha256-abc= crossorigin></script><script type=module src=https://e.org/b.js integrity=sha512-abc></script>",
        );
    }

    #[test]
    fn invalid_hashes_and_missing_crossorigin_fail() {
        assert_fails(
            &SRI_MISSING,
            "<script src=https://e.org/a.js integrity=md5-abc crossorigin></script><script src=https://e.org/a.js integrity=sha256-abc></script>",
            2,
        );
    }

    #[test]
    fn subdomains_of_the_site_are_not_applicable() {
        assert_not_applicable(
            &SRI_MISSING,
            "<script src=/a.js></script><script src=https://static.example.com/a.js></script>",
        );
    }

    /// The message for a script of this URL.
    fn message(url: &str) -> String {
        match outcome(&SRI_MISSING, &format!("<script src='{url}'></script>")) {
            Outcome::Failed(evidence) => evidence[0].message.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_url_without_a_complete_version_has_to_be_pinned_first() {
        for url in [
            "https://cdn.e.org/npm/chart.js",
            "https://cdn.e.org/npm/chart.js@latest",
            "https://cdn.e.org/npm/chart.js@4/dist/chart.min.js",
            "https://cdn.e.org/lib/2.1/lib.js",
            "https://cdn.e.org/jquery-latest.min.js",
            "https://e.org/added/decade.js",
        ] {
            assert!(message(url).contains("pin a version"), "{url}");
        }
        for url in [
            "https://cdn.e.org/npm/chart.js@4.4.1/dist/chart.min.js",
            "https://cdn.e.org/ajax/libs/lib/3.7.1/lib.min.js",
            "https://cdn.e.org/jquery-3.7.1.slim.min.js",
            "https://cdn.e.org/v10.0.2/lib.js",
            "https://cdn.e.org/jquery.3.7.1.js",
            "https://e.org/main.1a2b3c4d.js",
            "https://e.org/lib.js?ver=6.4.2",
        ] {
            let found = message(url);
            assert!(found.ends_with("has no integrity attribute."), "{found}");
        }
    }

    #[test]
    fn files_that_a_program_may_generate_give_cannot_tell() {
        for url in [
            "https://e.org/sdk.js?key=abc",
            "https://e.org/load.php?modules=a&v=2",
        ] {
            assert!(message(url).starts_with("CannotTell"), "{url}");
        }
        assert_fails(
            &SRI_MISSING,
            "<script src='https://e.org/sdk.js?key=a' integrity=md5-abc crossorigin></script>",
            1,
        );
        assert_fails(
            &SRI_MISSING,
            "<script src='https://e.org/a.js?v=2'></script>",
            1,
        );
    }

    #[test]
    fn files_of_services_give_cannot_tell() {
        for url in [
            "https://api.e.org/js/visit-analytics.js",
            "https://widgets.e.org/v1/main.js",
            "https://e.org/pixel.js",
        ] {
            assert!(message(url).starts_with("CannotTell"), "{url}");
        }
        for url in [
            "https://cdn.e.org/analytics@1.2.3/index.js",
            "https://cdn.e.org/stage/headset.js",
        ] {
            assert!(message(url).contains("no integrity attribute"), "{url}");
        }
    }

    #[test]
    fn files_generated_for_each_visitor_and_images_are_not_applicable() {
        assert_not_applicable(
            &SRI_MISSING,
            "<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'><img src=https://e.org/a.png>\
             <script src=https://kit.fontawesome.com/1a2b.js></script><script src=https://js.hs-scripts.com/1.js></script>",
        );
        assert_fails(
            &SRI_MISSING,
            "<script src=https://my-polyfill.io/a.js></script>",
            1,
        );
    }
}
