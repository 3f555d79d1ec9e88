//! Links and resources do not use local addresses.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::OfTargets;
use crate::view::Page;
use domain::target::is_loopback_origin;
use url::{Host, Url};

declare_check! {
    /// ## What it checks
    /// No link and no resource of the page uses `localhost`, a loopback address or a private
    /// network address (RFC 1918), except addresses of the site itself.
    ///
    /// ## Why it matters
    /// The URL works only on the machine or in the office where the page was written. Everyone else
    /// gets an error, and the page may reveal the structure of the internal network.
    ///
    /// ## How to fix it
    /// Replace the local URL with the public one, preferably as a path without a host, such as `/images/map.png`.
    /// Check the configuration for the base URL of the test system.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><img src="http://localhost:3000/images/map.png" alt="Map of the lines"></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><img src="/images/map.png" alt="Map of the lines"></html>
    /// ```
    ///
    /// ## Limits
    /// A link whose text shows the local address is an instruction to readers, such as “open
    /// http://localhost:8000/”, and passes. A site on a private network may link to other hosts on
    /// private networks. A site on loopback may link to its own port.
    ///
    /// ## Also known as
    /// - Screaming Frog: Links: Outlinks To Localhost
    /// - Common name: Hard-coded localhost URL
    ///
    /// ## References
    /// - RFC 1918, Address Allocation for Private Internets
    /// - RFC 6761, special-use domain name localhost
    LINK_LOCALHOST {
        id: "link-localhost",
        title: "Links or resources on localhost or a private network",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let mut targets = OfTargets::default();
    let links = page.links().iter().filter_map(|link| {
        let url = link.url()?;
        let is_wrong = targets.get(link, || is_foreign_local(page, url));
        Some((link.node, url, is_wrong, true))
    });
    let resources = page.resources().iter().map(|resource| {
        let is_wrong = is_foreign_local(page, &resource.url);
        (resource.node, &resource.url, is_wrong, false)
    });
    Outcome::for_each(links.chain(resources), |(node, url, is_wrong, is_link)| {
        let Some(element) = page.element(node).filter(|_| is_wrong) else {
            return Verdict::Pass;
        };
        if is_link && shows_its_address(element, url) {
            return Verdict::Pass;
        }
        let origin = url.origin().ascii_serialization();
        let subject = if is_link { "The link" } else { "The resource" };
        Verdict::Fail(
            Evidence::node(element)
                .message(format!(
                    "{subject} uses {origin}, which is a local address; expected a public URL."
                ))
                .cause(
                    origin.as_str(),
                    format!("Links or resources on the local address {origin}"),
                ),
        )
    })
}

fn is_foreign_local(page: &Page, url: &Url) -> bool {
    match reach(url) {
        Reach::Public => false,
        Reach::Machine => {
            let own = page.is_loopback()
                && page.url().port_or_known_default() == url.port_or_known_default();
            !own && !page.site().contains(url)
        }
        Reach::Network => reach(page.url()) != Reach::Network,
    }
}

fn shows_its_address(link: ElementRef<'_>, url: &Url) -> bool {
    url.host_str()
        .is_some_and(|host| link.text().to_ascii_lowercase().contains(host))
}

#[derive(PartialEq, Eq)]
enum Reach {
    Public,
    Network,
    Machine,
}

fn reach(url: &Url) -> Reach {
    match url.host() {
        _ if is_loopback_origin(url) => Reach::Machine,
        Some(Host::Ipv4(address)) if address.is_unspecified() => Reach::Machine,
        Some(Host::Ipv4(address)) if address.is_private() || address.is_link_local() => {
            Reach::Network
        }
        Some(Host::Ipv6(address)) if address.is_unique_local() => Reach::Network,
        _ => Reach::Public,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    fn outcome_at(url: &str, html: &str) -> Outcome {
        outcome_of(&LINK_LOCALHOST, &Page::builder().url(url).html(html))
    }

    #[test]
    fn public_addresses_pass() {
        assert_passes(
            &LINK_LOCALHOST,
            "<a href=/a>a</a><img src=https://192.0.2.1/a.png>",
        );
        assert_passes(
            &LINK_LOCALHOST,
            "<a href=https://localhost.example.org/>a</a>",
        );
    }

    #[test]
    fn local_addresses_fail() {
        for url in [
            "http://localhost:3000/a",
            "http://127.0.0.1/",
            "http://10.1.2.3/",
            "https://192.168.0.1/",
            "http://172.16.0.1/",
            "http://[::1]/",
            "http://app.localhost/",
            "http://0.0.0.0:8000/",
        ] {
            assert_fails(&LINK_LOCALHOST, &format!("<a href='{url}'>Times</a>"), 1);
            assert_fails(
                &LINK_LOCALHOST,
                &format!("<script src='{url}'></script>"),
                1,
            );
        }
    }

    #[test]
    fn a_link_text_that_shows_the_address_passes() {
        assert_passes(
            &LINK_LOCALHOST,
            "Open <a href='http://127.0.0.1:8000/admin/'><code>http://127.0.0.1:8000/admin/</code></a>.",
        );
    }

    #[test]
    fn a_site_on_loopback_may_link_to_itself() {
        let html = "<a href=/a>a</a><a href=http://localhost:8080/b>b</a><img src=http://127.0.0.1:8080/c>";
        assert_eq!(outcome_at("http://127.0.0.1:8080/", html), Outcome::Passed);
        let html = "<a href=http://localhost:3000/b>b</a>";
        assert!(matches!(
            outcome_at("http://127.0.0.1:8080/", html),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn an_intranet_site_may_link_to_its_network_but_not_to_localhost() {
        let html = "<a href=http://10.0.0.2/>wiki</a>";
        assert_eq!(outcome_at("http://10.0.0.1/", html), Outcome::Passed);
        let html = "<a href=http://localhost/>wiki</a>";
        assert!(matches!(
            outcome_at("http://10.0.0.1/", html),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn a_page_without_links_and_resources_is_not_applicable() {
        assert_not_applicable(&LINK_LOCALHOST, "<p>x");
    }
}
