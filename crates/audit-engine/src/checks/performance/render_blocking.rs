//! Render-blocking scripts and style sheets in the head.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::party::same_party;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::{ResourceKind, ResourceRef};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Scripts in the head have `defer` or `async` or are modules, and style sheets in the head
    /// come from the site itself.
    ///
    /// ## Why it matters
    /// The browser renders nothing until it has loaded and run a render-blocking script. A style
    /// sheet from another server costs a new connection before the first paint, and a slow server
    /// keeps the page blank.
    ///
    /// ## How to fix it
    /// Add `defer` to the scripts in the head. Inline scripts run before deferred ones: move those that need a script in the
    /// head to a file with `defer` as well. Copy style sheets of other servers to your own and link them there. Use `media`
    /// for styles that only apply to print.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Tides</title><script src="/menu.js"></script></head><body><p>High tide at noon.</p></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Tides</title><script src="/menu.js" defer></script></head><body><p>High tide at noon.</p></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not measure how long a file blocks rendering: `fcp` does, where a browser measures the page. The site's own
    /// style sheets block rendering too; one or two of them are common and are not reported.
    ///
    /// ## Also known as
    /// - Lighthouse: `render-blocking-insight`
    /// - Lighthouse: `render-blocking-resources`
    ///
    /// ## References
    /// - HTML Standard, the script element: async and defer
    /// - Chrome for Developers, Lighthouse: Eliminate render-blocking resources
    RENDER_BLOCKING {
        id: "render-blocking",
        title: "Render-blocking resources in the head",
        dimension: Performance,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let in_head = page.resources().iter().filter_map(|resource| {
        let element = page.element(resource.node)?;
        let counts = matches!(
            resource.kind,
            ResourceKind::Script | ResourceKind::Stylesheet
        );
        (counts && page.in_head(element)).then_some((resource, element))
    });
    Outcome::for_each(in_head, |(resource, element)| {
        let reason = match resource.kind {
            ResourceKind::Script => parser_blocking(element),
            _ => third_party_style(page, resource, element),
        };
        match reason {
            None => Verdict::Pass,
            Some(reason) => Verdict::Fail(evidence(element, resource, reason)),
        }
    })
}

fn parser_blocking(script: ElementRef<'_>) -> Option<&'static str> {
    let blocks = !script.has_attr("async")
        && !script.has_attr("defer")
        && !script.has_attr("nomodule")
        && !script.attr_is("type", "module");
    blocks.then_some("has neither async nor defer")
}

fn third_party_style(
    page: &Page,
    resource: &ResourceRef,
    link: ElementRef<'_>,
) -> Option<&'static str> {
    let applies = !link.has_attr("disabled")
        && link.attr("media").map(str::trim).is_none_or(|media| {
            media.is_empty()
                || media.eq_ignore_ascii_case("all")
                || media.eq_ignore_ascii_case("screen")
        });
    (applies && !same_party(&resource.url, page.url())).then_some("comes from another server")
}

fn evidence(element: ElementRef<'_>, resource: &ResourceRef, reason: &str) -> Evidence {
    let (kind, url) = (resource.kind.as_str(), resource.url.as_str());
    let expected = match resource.kind {
        ResourceKind::Script => "`defer` on the script",
        _ => "the file on your own server",
    };
    Evidence::node(element)
        .message(format!(
            "The {kind} {url} in the head {reason}, so the page stays blank until it has loaded; expected {expected}."
        ))
        .cause(url, format!("Render-blocking {kind}: {url}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_plain_script_in_the_head_fails() {
        assert_fails(
            &RENDER_BLOCKING,
            "<head><script src=a.js></script><body>x",
            1,
        );
    }

    #[test]
    fn deferred_async_and_module_scripts_pass() {
        assert_passes(
            &RENDER_BLOCKING,
            "<head><script src=a.js defer></script><script src=b.js async></script><script src=c.js type=module></script><script src=d.js nomodule></script>",
        );
    }

    #[test]
    fn third_party_styles_fail_and_own_styles_pass() {
        assert_fails(
            &RENDER_BLOCKING,
            "<head><link rel=stylesheet href=https://e.org/a.css>",
            1,
        );
        assert_passes(&RENDER_BLOCKING, "<head><link rel=stylesheet href=a.css>");
    }

    #[test]
    fn styles_for_other_media_pass() {
        assert_passes(
            &RENDER_BLOCKING,
            "<head><link rel=stylesheet href=https://e.org/a.css media=print><link rel=stylesheet href=https://e.org/b.css disabled>",
        );
    }

    #[test]
    fn data_blocks_inline_scripts_and_the_body_are_not_checked() {
        assert_not_applicable(
            &RENDER_BLOCKING,
            "<head><script>a()</script><script type=application/json src=a.json></script><body><p>x<script src=b.js></script>",
        );
    }
}
