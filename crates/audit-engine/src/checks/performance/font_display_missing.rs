//! Web fonts that keep text invisible.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::documents::css::{FontFace, font_faces};
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// Every `@font-face` that loads a file has `font-display` with `swap`, `fallback` or `optional`.
    ///
    /// ## Why it matters
    /// By default the browser hides text for up to three seconds while its font loads. On a slow
    /// network visitors look at a page without words.
    ///
    /// ## How to fix it
    /// Add `font-display: swap;` to the `@font-face` rule. For Google Fonts add `&display=swap` to the
    /// address.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/fonts.css"><p>Open from nine to five.</p></html>
    /// === /fonts.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// @font-face { font-family: Harbour; src: url(/harbour.woff2) }
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/fonts.css"><p>Open from nine to five.</p></html>
    /// === /fonts.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// @font-face { font-family: Harbour; src: url(/harbour.woff2); font-display: swap }
    /// ```
    ///
    /// ## Limits
    /// Style sheets that pages link are read, up to 1 MiB of each; style elements and imported
    /// style sheets are not. Whether a page uses the font is not known without a browser.
    /// `font-display: block` fails here, since it keeps text hidden at first; Lighthouse accepts it.
    ///
    /// ## References
    /// - W3C CSS Fonts Module Level 4, the font-display descriptor
    /// - Chrome for Developers, Lighthouse: Ensure text remains visible during webfont load
    FONT_DISPLAY_MISSING {
        id: "font-display-missing",
        title: "Text stays invisible while its font loads",
        dimension: Performance,
        scope: Resource,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let styles = site
        .resources
        .iter()
        .filter(|resource| resource.kind == ResourceKind::Stylesheet && resource.ok());
    for style in styles {
        verdicts.judge(style.url.as_str(), judge(style));
    }
}

fn judge(style: &ResourceFacts) -> Outcome {
    let css = String::from_utf8_lossy(&style.body);
    let faces = font_faces(&css).into_iter().filter(|face| face.loads);
    Outcome::for_each(faces, |face| {
        let shown = matches!(
            face.display.as_deref(),
            Some("swap" | "fallback" | "optional")
        );
        Verdict::of(shown, || evidence(&face))
    })
}

fn evidence(face: &FontFace) -> Evidence {
    let family = &face.family;
    let found = match &face.display {
        Some(display) => format!("has font-display: {display}"),
        None => "has no font-display".to_owned(),
    };
    Evidence::line(face.line, &format!("@font-face {family}")).message(format!(
        "The font {family} {found}; expected is swap, fallback or optional."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn judged(css: &str) -> (u64, u64, u64) {
        let site = format!(
            "=== /\n<link rel=stylesheet href=/a.css>\n=== /a.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n{css}"
        );
        let tallied = audit(&FONT_DISPLAY_MISSING, &site);
        let total = tallied
            .findings
            .first()
            .map_or(0, |finding| finding.occurrences_total);
        (tallied.applicable, tallied.affected, total)
    }

    #[test]
    fn every_face_without_it_is_named() {
        assert_eq!(
            judged(
                "@font-face{src:url(a)} @font-face{src:url(b);font-display:block} @font-face{src:url(c);font-display:optional}"
            ),
            (1, 1, 2)
        );
    }

    #[test]
    fn fonts_of_the_visitors_own_machine_are_not_judged() {
        assert_eq!(
            judged("@font-face{font-family:A;src:local(A)} a{}"),
            (0, 0, 0)
        );
    }
}
