//! Which pages of a crawl a browser shows.

use std::collections::HashMap;

use url::Url;

use super::rendering::Rendering;
use crate::options::RenderedPages;

/// Pages that are shown of a site that does not need scripts.
const SAMPLE: usize = 20;

/// Pages of one pattern that are shown of a site that does not need scripts.
const SAMPLE_OF_PATTERN: usize = 3;

/// Pages that lead to another one by script before the site counts as one that needs scripts.
const MAX_LEADING: usize = 3;

/// Decides which pages a browser shows. The decisions depend on the order of the queue and on committed pages alone, and
/// not on how fast responses arrive.
#[derive(Debug)]
pub(super) enum RenderChoice {
    /// Every page.
    All,
    /// Each page, one after the other, until one says whether the site needs scripts.
    Undecided {
        /// Pages that led to another one.
        leading: usize,
    },
    /// A few pages of each pattern.
    Sample(Sample),
}

/// The pages of a site without scripts that are shown.
#[derive(Debug, Default)]
pub(super) struct Sample {
    /// How many were chosen by the pattern of their URLs. At most [`SAMPLE`] together.
    chosen: HashMap<String, usize>,
}

impl RenderChoice {
    pub(super) const fn new(pages: RenderedPages) -> Self {
        match pages {
            RenderedPages::All => Self::All,
            RenderedPages::AsNeeded => Self::Undecided { leading: 0 },
        }
    }

    /// Whether the next page decides, so that no other page may be requested before it is committed.
    pub(super) const fn is_undecided(&self) -> bool {
        matches!(self, Self::Undecided { .. })
    }

    /// Whether a browser shows every further page.
    pub(super) const fn shows_all(&self) -> bool {
        matches!(self, Self::All)
    }

    /// Whether a browser shows the page at this URL, which is the next one in the queue. A page that is read for its links
    /// only is shown if its links may come from scripts.
    pub(super) fn shows(&mut self, url: &Url, is_link_only: bool) -> bool {
        match self {
            Self::All | Self::Undecided { .. } => true,
            // A route exists in a browser only.
            Self::Sample(_) if url.fragment().is_some() => true,
            Self::Sample(_) if is_link_only => false,
            Self::Sample(sample) => sample.takes(url),
        }
    }

    /// Learns from a committed page: what the browser made of it, and whether it needs scripts.
    pub(super) fn learn(&mut self, rendering: &Rendering, needs_scripts: bool) {
        let Self::Undecided { leading } = self else {
            return;
        };
        if matches!(rendering, Rendering::LedTo { .. }) && *leading < MAX_LEADING {
            *leading += 1;
        } else if needs_scripts || matches!(rendering, Rendering::LedTo { .. }) {
            *self = Self::All;
        } else {
            *self = Self::Sample(Sample::default());
        }
    }
}

impl Sample {
    fn takes(&mut self, url: &Url) -> bool {
        if self.chosen.values().sum::<usize>() >= SAMPLE {
            return false;
        }
        let chosen = self.chosen.entry(url_pattern(url)).or_default();
        let takes = *chosen < SAMPLE_OF_PATTERN;
        *chosen += usize::from(takes);
        takes
    }
}

/// What the URLs of pages that one template makes usually share: the folders, of which those with digits are alike, the
/// file extension, and the names of the parameters.
pub(crate) fn url_pattern(url: &Url) -> String {
    let path = url.path();
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut pattern = String::new();
    for folder in folders.split('/').skip(1) {
        let is_numbered = folder.bytes().any(|byte| byte.is_ascii_digit());
        pattern.push('/');
        pattern.push_str(if is_numbered { "#" } else { folder });
    }
    pattern.push_str(if file.is_empty() { "/" } else { "/*" });
    if let Some((_, extension)) = file.rsplit_once('.') {
        pattern.push('.');
        pattern.push_str(extension);
    }
    for (name, _) in url.query_pairs() {
        pattern.push('?');
        pattern.push_str(&name);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.com")
            .unwrap()
            .join(path)
            .unwrap()
    }

    fn decided(needs_scripts: bool) -> RenderChoice {
        let mut choice = RenderChoice::new(RenderedPages::AsNeeded);
        assert!(choice.is_undecided() && choice.shows(&url("/"), false));
        choice.learn(&Rendering::Shown, needs_scripts);
        assert!(!choice.is_undecided());
        choice
    }

    #[test]
    fn every_page_of_a_site_that_needs_scripts_is_shown() {
        let mut choice = decided(true);
        assert!((0..500).all(|number| choice.shows(&url(&format!("/posts/{number}")), true)));
    }

    #[test]
    fn a_few_pages_of_each_pattern_are_shown_of_other_sites() {
        let mut choice = decided(false);
        let shown = |choice: &mut RenderChoice, folder: &str| {
            let pages = (0..50).map(|number| url(&format!("/{folder}/page-{number}.html")));
            pages.filter(|page| choice.shows(page, false)).count()
        };
        assert_eq!(shown(&mut choice, "posts"), SAMPLE_OF_PATTERN);
        assert_eq!(shown(&mut choice, "posts"), 0);
        let others = (0..50_u8).map(|number| {
            format!(
                "{}{}",
                char::from(b'a' + number % 26),
                "x".repeat(usize::from(number))
            )
        });
        let total: usize = others.map(|folder| shown(&mut choice, &folder)).sum();
        assert_eq!(total, SAMPLE - SAMPLE_OF_PATTERN);
        assert!(
            choice.shows(&url("/#/route"), true),
            "a route has no other form"
        );
    }

    #[test]
    fn a_page_that_leads_to_another_one_leaves_the_decision_to_that() {
        let led = Rendering::LedTo {
            target: url("/en/"),
            by_page: true,
        };
        let mut choice = RenderChoice::new(RenderedPages::AsNeeded);
        choice.learn(&led, false);
        assert!(choice.is_undecided());
        choice.learn(&Rendering::Shown, false);
        assert!(matches!(choice, RenderChoice::Sample(_)));
    }

    #[test]
    fn pages_that_lead_on_for_ever_need_scripts() {
        let led = Rendering::LedTo {
            target: url("/next"),
            by_page: true,
        };
        let mut choice = RenderChoice::new(RenderedPages::AsNeeded);
        for _ in 0..=MAX_LEADING {
            assert!(choice.is_undecided());
            choice.learn(&led, false);
        }
        assert!(matches!(choice, RenderChoice::All));
    }

    #[rstest]
    #[case("/docs/intro.html", "/docs/setup.html", true)]
    #[case("/2024/05/a-post", "/2023/11/another", true)]
    #[case("/about", "/contact", true)]
    #[case("/item?id=1", "/item?id=2", true)]
    #[case("/docs/", "/docs/intro", false)]
    #[case("/docs/a", "/blog/a", false)]
    #[case("/item?id=1", "/item?id=1&tab=2", false)]
    #[case("/a.html", "/a.php", false)]
    fn urls_of_one_template_share_a_pattern(
        #[case] one: &str,
        #[case] other: &str,
        #[case] expected: bool,
    ) {
        let is_same = url_pattern(&url(one)) == url_pattern(&url(other));
        assert_eq!(is_same, expected);
    }
}
