//! Meta refresh redirects: `meta http-equiv=refresh` and the `Refresh` header.

use url::Url;

use crate::address::without_fragment;
use crate::dom::ElementRef;
use crate::view::Page;

/// A refresh to another URL.
#[derive(Debug, Clone)]
pub(crate) struct RefreshRedirect<'a> {
    /// The `meta` element; `None` for the header.
    pub(crate) element: Option<ElementRef<'a>>,
    /// The value of `content` or of the header.
    pub(crate) value: &'a str,
    /// The delay in seconds.
    pub(crate) seconds: u64,
    /// The target URL.
    pub(crate) target: Url,
}

/// The first refresh of the page to another page. A refresh that reloads the page itself is ignored.
pub(crate) fn refresh_redirect(page: &Page) -> Option<RefreshRedirect<'_>> {
    let header = page.headers().get_all("refresh").map(|value| (None, value));
    let metas = page
        .html("meta")
        .filter(|meta| meta.attr_is("http-equiv", "refresh"))
        .filter_map(|meta| Some((Some(meta), meta.attr("content")?)));
    let here = without_fragment(page.url());
    header.chain(metas).find_map(|(element, value)| {
        let (seconds, target) = parse(value)?;
        let target = page.base().join(target?).ok()?;
        (without_fragment(&target) != here).then_some(RefreshRedirect {
            element,
            value,
            seconds,
            target,
        })
    })
}

/// A page with fewer words has nothing but the notice that it has moved.
const FEWEST_WORDS: usize = 50;

/// Whether the page is nothing but a redirect, so that what else it lacks does not matter. A page with a text of its own
/// is not: a redirect by mistake must not hide what it lacks.
pub(crate) fn is_redirect_stub(page: &Page) -> bool {
    page.words() < FEWEST_WORDS && refresh_redirect(page).is_some()
}

/// Parses the delay and the URL by the HTML Standard's "shared declarative refresh steps".
fn parse(value: &str) -> Option<(u64, Option<&str>)> {
    let value = value.trim_ascii();
    let after_digits = value.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = value.strip_suffix(after_digits).unwrap_or_default();
    if digits.is_empty() && !after_digits.starts_with('.') {
        return None;
    }
    let seconds = if digits.is_empty() {
        0
    } else {
        digits.parse().unwrap_or(u64::MAX)
    };
    let rest = after_digits.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if rest.is_empty() {
        return Some((seconds, None));
    }
    if !rest.starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let url = url_text(rest.trim_ascii_start());
    Some((seconds, (!url.is_empty()).then_some(url)))
}

fn url_text(text: &str) -> &str {
    let unprefixed = text
        .split_at_checked(3)
        .filter(|(name, _)| name.eq_ignore_ascii_case("url"))
        .and_then(|(_, rest)| rest.trim_ascii_start().strip_prefix('='))
        .map_or(text, str::trim_ascii_start);
    for quote in ['"', '\''] {
        if let Some(quoted) = unprefixed.strip_prefix(quote) {
            return quoted.split(quote).next().unwrap_or_default().trim_ascii();
        }
    }
    unprefixed.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_valid_forms_are_parsed() {
        assert_eq!(parse("5"), Some((5, None)));
        assert_eq!(parse("0; url=/a"), Some((0, Some("/a"))));
        assert_eq!(parse("0.5,URL = '/a b'x"), Some((0, Some("/a b"))));
        assert_eq!(parse(" 3 /a"), Some((3, Some("/a"))));
        assert_eq!(parse("3;"), Some((3, None)));
        assert_eq!(parse("soon; url=/a"), None);
        assert_eq!(parse("3x; url=/a"), None);
    }

    #[test]
    fn a_reload_is_not_a_redirect() {
        let page = Page::builder().html("<meta http-equiv=refresh content='9; url=/#top'>");
        assert!(refresh_redirect(&page).is_none());
    }

    #[test]
    fn a_page_with_a_text_of_its_own_is_no_stub() {
        let page = |refresh: &str, words: usize| {
            let text = "word ".repeat(words);
            Page::builder().html(&format!("{refresh}<p>{text}"))
        };
        const REFRESH: &str = "<meta http-equiv=refresh content='0; url=/b'>";
        assert!(is_redirect_stub(&page(REFRESH, FEWEST_WORDS - 1)));
        assert!(!is_redirect_stub(&page(REFRESH, FEWEST_WORDS)));
        assert!(!is_redirect_stub(&page("", 1)));
    }

    #[test]
    fn the_refresh_header_is_a_redirect() {
        let page = Page::builder().header("Refresh", "0; url=/b").html("x");
        assert!(refresh_redirect(&page).is_some_and(|redirect| redirect.element.is_none()));
    }
}
