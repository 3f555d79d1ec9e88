//! Robots directives of a page: robots metas and `X-Robots-Tag`.

use crate::bounds::page::MAX_ROBOTS_DIRECTIVES;

/// The location of a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectiveSource {
    /// `<meta name="robots">` or `<meta name="googlebot">`.
    Meta,
    /// The `X-Robots-Tag` header.
    Header,
}

/// One directive as declared on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Its location.
    pub source: DirectiveSource,
    /// The crawler that it applies to, in lower case; `robots` for all.
    pub agent: String,
    /// The directive in lower case, without surrounding space, for example `noindex` or `max-snippet:0`.
    pub token: String,
}

/// All robots directives of a page. The most restrictive wins (Google, robots meta tag specification).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RobotsDirectives {
    directives: Vec<Directive>,
    is_cut: bool,
}

/// Directives with a value after a colon, so that an agent prefix is not confused with one.
const VALUED: [&str; 4] = [
    "unavailable_after",
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
];

impl RobotsDirectives {
    /// Adds the content of a robots meta. Names other than `robots` and `googlebot` are ignored.
    pub fn add_meta(&mut self, name: &str, content: &str) {
        let agent = name.trim().to_ascii_lowercase();
        if matches!(agent.as_str(), "robots" | "googlebot") {
            self.add_tokens(DirectiveSource::Meta, &agent, content);
        }
    }

    /// Adds one `X-Robots-Tag` value, with or without a user agent prefix.
    pub fn add_header(&mut self, value: &str) {
        let (agent, tokens) = match value.split_once(':') {
            Some((prefix, rest)) if is_agent(prefix) => (prefix.trim().to_ascii_lowercase(), rest),
            _ => ("robots".to_owned(), value),
        };
        if matches!(agent.as_str(), "robots" | "googlebot") {
            self.add_tokens(DirectiveSource::Header, &agent, tokens);
        }
    }

    fn add_tokens(&mut self, source: DirectiveSource, agent: &str, tokens: &str) {
        for token in tokens.split(',') {
            let token = token.trim().to_ascii_lowercase();
            if !token.is_empty() {
                if self.directives.len() >= MAX_ROBOTS_DIRECTIVES {
                    self.is_cut = true;
                    return;
                }
                self.directives.push(Directive {
                    source,
                    agent: agent.to_owned(),
                    token,
                });
            }
        }
    }

    /// Adds the directives of another form of the page that are not known.
    pub(super) fn merge(&mut self, other: &Self) {
        self.is_cut |= other.is_cut;
        for directive in &other.directives {
            if self.directives.contains(directive) {
                continue;
            }
            if self.directives.len() >= MAX_ROBOTS_DIRECTIVES {
                self.is_cut = true;
                return;
            }
            self.directives.push(directive.clone());
        }
    }

    /// Every directive in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Directive> {
        self.directives.iter()
    }

    /// Whether there are more directives than are kept.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The directive that prevents Google from indexing the page, if there is one.
    #[must_use]
    pub fn noindex(&self) -> Option<&Directive> {
        self.directives
            .iter()
            .find(|directive| matches!(directive.token.as_str(), "noindex" | "none"))
    }

    /// Whether links on the page are not followed.
    #[must_use]
    pub fn nofollow(&self) -> bool {
        self.directives
            .iter()
            .any(|directive| matches!(directive.token.as_str(), "nofollow" | "none"))
    }

    /// Whether no part of the page may be shown as a snippet.
    #[must_use]
    pub fn nosnippet(&self) -> bool {
        self.directives
            .iter()
            .any(|directive| matches!(directive.token.as_str(), "nosnippet" | "max-snippet:0"))
    }
}

fn is_agent(prefix: &str) -> bool {
    let prefix = prefix.trim().to_ascii_lowercase();
    !prefix.contains(',') && !prefix.contains(' ') && !VALUED.contains(&prefix.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(value: &str) -> RobotsDirectives {
        let mut directives = RobotsDirectives::default();
        directives.add_header(value);
        directives
    }

    #[test]
    fn only_the_first_thousand_directives_are_kept() {
        let mut directives = RobotsDirectives::default();
        directives.add_meta("robots", &"a,".repeat(MAX_ROBOTS_DIRECTIVES));
        assert!(!directives.is_cut());
        directives.add_meta("robots", "noindex");
        assert!(directives.is_cut() && directives.noindex().is_none());
        assert_eq!(directives.iter().count(), MAX_ROBOTS_DIRECTIVES);
    }

    #[test]
    fn none_means_noindex_and_nofollow() {
        let mut directives = RobotsDirectives::default();
        directives.add_meta("ROBOTS", "None");
        assert!(directives.noindex().is_some() && directives.nofollow());
    }

    #[test]
    fn a_header_for_googlebot_counts_and_one_for_another_crawler_does_not() {
        assert!(header("googlebot: noindex").noindex().is_some());
        assert!(header("otherbot: noindex").noindex().is_none());
    }

    #[test]
    fn a_directive_with_a_value_is_not_an_agent() {
        assert!(
            header("unavailable_after: 25 Jun 2010 15:00:00 PST")
                .noindex()
                .is_none()
        );
        assert!(header("max-snippet:0, noindex").noindex().is_some());
    }

    #[test]
    fn an_unknown_meta_name_is_ignored() {
        let mut directives = RobotsDirectives::default();
        directives.add_meta("bingbot", "noindex");
        assert!(directives.noindex().is_none());
    }
}
