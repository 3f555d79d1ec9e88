//! Web fonts that hide text while they load.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::documents::css::{FontFace, font_faces};
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// Every `@font-face` rule that loads a file sets `font-display` to `swap`, `fallback` or
    /// `optional`.
    ///
    /// ## Why it matters
    /// By default the browser hides text for up to three seconds while its font loads. On a slow
    /// network visitors see a page without text.
    ///
    /// ## How to fix it
    /// Add `font-display: swap;` to the `@font-face` rule. For Google Fonts add `&display=swap` to
    /// the URL.
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
    /// The check reads the style sheets that pages link, up to 1 MiB of each. It does not read
    /// style elements and imported style sheets. In static mode, the check does not know whether a
    /// page uses the font. `font-display: block` fails here because it hides text at first;
    /// Lighthouse accepts it.
    ///
    /// ## Also known as
    /// - Lighthouse: `font-display-insight`
    /// - Lighthouse: `font-display`
    /// - Common name: Flash of invisible text (FOIT)
    ///
    /// ## References
    /// - W3C CSS Fonts Module Level 4, the font-display descriptor
    /// - Chrome for Developers, Lighthouse: Ensure text remains visible during webfont load
    FONT_DISPLAY_MISSING {
        id: "font-display-missing",
        title: "Web fonts that hide text while loading (font-display)",
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
        verdicts.record(style.url.as_str(), evaluate_font_faces(style));
    }
}

fn evaluate_font_faces(style: &ResourceFacts) -> Outcome {
    let css = String::from_utf8_lossy(&style.body);
    let faces = font_faces(&css).into_iter().filter(|face| face.loads);
    Outcome::for_each(faces, |face| {
        let shown = matches!(
            face.display.as_deref(),
            Some("swap" | "fallback" | "optional")
        );
        Verdict::pass_if(shown, || evidence(&face))
    })
}

fn evidence(face: &FontFace) -> Evidence {
    let family = &face.family;
    let found = match &face.display {
        Some(display) => format!("has font-display: {display}"),
        None => "has no font-display".to_owned(),
    };
    Evidence::line(face.line, &format!("@font-face {family}")).message(format!(
        "The font {family} {found}; expected swap, fallback or optional."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn audited(css: &str) -> (u64, u64, u64) {
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
    fn each_font_face_without_a_suitable_value_is_reported() {
        assert_eq!(
            audited(
                "@font-face{src:url(a)} @font-face{src:url(b);font-display:block} @font-face{src:url(c);font-display:optional}"
            ),
            (1, 1, 2)
        );
    }

    #[test]
    fn local_fonts_are_not_checked() {
        assert_eq!(
            audited("@font-face{font-family:A;src:local(A)} a{}"),
            (0, 0, 0)
        );
    }
}
