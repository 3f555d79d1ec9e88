//! Web fonts that hide text while they load.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::documents::css::{FontFace, font_faces};
use crate::common::measures::lab::milliseconds;
use crate::declare_check;
use crate::lab::{RequestKind, TimedRequest};
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
    /// Write `font-display: swap;` into the `@font-face` rule. For Google Fonts, append `&display=swap` to the URL of
    /// the style sheet.
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
    /// page uses the font. Where a browser measured a page that loads it, the finding says how long its text was hidden. Icon fonts are left out: until they load, `swap` shows empty boxes, or the
    /// words that stand for the icons, so `block` is right for them. They are recognized by their
    /// names, and by style sheets that mostly assign private-use characters. `font-display: block` fails
    /// here for other fonts because it hides text at first;
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
        verdicts.record(style.url.as_str(), evaluate_font_faces(site, style));
    }
}

fn evaluate_font_faces(site: &Site, style: &ResourceFacts) -> Outcome {
    let css = String::from_utf8_lossy(&style.body);
    let assigns_icons = assigns_icons(&css);
    let faces = font_faces(&css)
        .into_iter()
        .filter(|face| face.loads && !assigns_icons && !is_icon_font(&face.family));
    Outcome::for_each(faces, |face| {
        let shown = matches!(
            face.display.as_deref(),
            Some("swap" | "fallback" | "optional")
        );
        Verdict::pass_if(shown, || evidence(&face, hidden_ms(site, style, &face)))
    })
}

/// Parts of the names of icon fonts, in lower case and without spaces and hyphens.
const ICON_NAMES: [&str; 36] = [
    "icon",
    "glyph",
    "symbol",
    "awesome",
    "fontello",
    "icomoon",
    "feather",
    "boxicons",
    "remix",
    "themify",
    "linear",
    "dashicons",
    "dripicons",
    "codicon",
    "octicon",
    "devicon",
    "entypo",
    "typicons",
    "zocial",
    "phosphor",
    "lineawesome",
    "materialdesign",
    "nucleo",
    "flaticon",
    "strokegap",
    "7stroke",
    "etline",
    "simpleline",
    "fabricmdl2",
    "slick",
    "swiper",
    "lightgallery",
    "summernote",
    "videojs",
    "primeicons",
    "jqueryui",
];

/// Whether the name of the font is that of a font of icons.
fn is_icon_font(family: &str) -> bool {
    const SHORT: [&str; 8] = ["fa", "fab", "far", "fas", "lg", "mdi", "bi", "vjs"];
    let name = family.to_lowercase().replace([' ', '-', '_'], "");
    ICON_NAMES.iter().any(|part| name.contains(part)) || SHORT.contains(&name.as_str())
}

/// Whether the style sheet is that of an icon font: it assigns a private-use character to at least as many elements
/// as an icon font has, and more often than it has other rules without one.
fn assigns_icons(css: &str) -> bool {
    const FEWEST_ICONS: usize = 20;
    let escapes = css.match_indices("content").filter(|(at, name)| {
        let rest = css.get(at + name.len()..).unwrap_or_default().trim_start();
        let rest = rest.strip_prefix(':').unwrap_or_default().trim_start();
        let escape = rest
            .trim_start_matches(['"', '\''])
            .strip_prefix('\\')
            .unwrap_or_default();
        let digits: String = escape
            .chars()
            .take_while(char::is_ascii_hexdigit)
            .take(6)
            .collect();
        u32::from_str_radix(&digits, 16)
            .is_ok_and(|code| matches!(code, 0xE000..=0xF8FF | 0xF_0000..=0x10_FFFF))
    });
    let icons = escapes.count();
    icons >= FEWEST_ICONS && icons * 2 >= css.bytes().filter(|byte| *byte == b'{').count()
}

/// How long browsers hide text at most while its font loads (CSS Fonts, the block period).
const BLOCK_PERIOD_MS: u32 = 3_000;

/// The longest time that the text of the font was hidden on a page whose load a browser measured.
fn hidden_ms(site: &Site, style: &ResourceFacts, face: &FontFace) -> Option<u32> {
    let files: Vec<String> = (face.sources.iter())
        .filter_map(|source| style.url.join(source).ok())
        .map(|mut url| {
            url.set_fragment(None);
            url.into()
        })
        .collect();
    let requests = (site.lab.iter()).flat_map(|page| &page.load.observed.requests);
    let fonts = requests.filter(|file| file.kind == RequestKind::Font && files.contains(&file.url));
    let longest = fonts.filter_map(TimedRequest::took_ms).max();
    longest.map(|ms| ms.min(BLOCK_PERIOD_MS))
}

fn evidence(face: &FontFace, hidden_ms: Option<u32>) -> Evidence {
    let family = &face.family;
    let found = match &face.display {
        Some(display) => format!("has font-display: {display}"),
        None => "has no font-display declaration".to_owned(),
    };
    let hidden = hidden_ms.map_or_else(String::new, |ms| {
        let ms = milliseconds(ms);
        format!(" Text in this font was hidden for {ms} while the browser measured a page.")
    });
    Evidence::line(face.line, &format!("@font-face {family}")).message(format!(
        "The @font-face rule of {family} {found}; expected swap, fallback or optional.{hidden}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    use crate::check::testing::audit;
    use crate::common::measures::lab::testing::{measured_page, painted, request};
    use crate::lab::Observed;

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
    fn the_longest_time_in_which_a_measured_page_hid_the_text_is_told() {
        let start = Url::parse("https://example.com/").unwrap();
        let font = |url: &str, ended| request(url, RequestKind::Font, (700, ended));
        let page = |requests| {
            let observed = Observed {
                requests,
                ..painted(900, 900)
            };
            measured_page(&start, observed)
        };
        let site = Site {
            lab: vec![
                page(vec![font("https://example.com/f/a.woff2", 1_000)]),
                page(vec![font("https://example.com/f/a.woff2", 1_940)]),
                page(vec![font("https://example.com/f/b.woff2", 9_000)]),
            ],
            ..Site::empty(start.clone())
        };
        let style = ResourceFacts::of_body(
            &start.join("/css/a.css").unwrap(),
            "@font-face{font-family:A;src:url('../f/a.woff2#x')}@font-face{font-family:B;src:url(../f/b.woff2)}@font-face{font-family:C;src:url(c)}",
        );
        let Outcome::Failed(failures) = evaluate_font_faces(&site, &style) else {
            panic!("three fonts hide text");
        };
        let told: Vec<&str> = (failures.iter())
            .map(|failure| failure.message.split_once("optional.").unwrap().1)
            .collect();
        let hidden = " while the browser measured a page.";
        let expected = [
            format!(" Text in this font was hidden for 1,240 ms{hidden}"),
            format!(" Text in this font was hidden for 3,000 ms{hidden}"),
            String::new(),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn icon_fonts_are_not_checked() {
        for family in [
            "'Font Awesome 6 Free'",
            "\"Material Symbols Outlined\"",
            "bootstrap-icons",
            "Glyphicons Halflings",
            "themify",
            "fa-solid-icons",
            "slick",
        ] {
            let css = format!("@font-face{{font-family:{family};src:url(a);font-display:block}}");
            assert_eq!(audited(&css), (0, 0, 0), "{family}");
        }
        for family in ["Inter", "Fabrica", "Linux Libertine", "'Big Shoulders'"] {
            let css = format!("@font-face{{font-family:{family};src:url(a)}}");
            assert_eq!(audited(&css), (1, 1, 1), "{family}");
        }
    }

    #[test]
    fn a_sheet_of_private_use_characters_is_that_of_an_icon_font() {
        let rules = |count: usize, value: &str| -> String {
            (0..count)
                .map(|n| format!(".i{n}:before{{content:{value}}}"))
                .collect()
        };
        let face = "@font-face{font-family:Pea;src:url(a)}";
        for value in ["'\\e900'", "\"\\f101\"", "'\\f0004'"] {
            let css = format!("{face}{}", rules(20, value));
            assert_eq!(audited(&css), (0, 0, 0), "{value}");
        }
        for css in [
            rules(19, "'\\e900'"),
            rules(30, "'\\2014'"),
            rules(30, "'x'"),
            rules(20, "'\\e900'") + &"p{color:red}".repeat(30),
        ] {
            assert_eq!(audited(&format!("{face}{css}")), (1, 1, 1));
        }
    }

    #[test]
    fn local_fonts_are_not_checked() {
        assert_eq!(
            audited("@font-face{font-family:A;src:local(A)} a{}"),
            (0, 0, 0)
        );
    }
}
