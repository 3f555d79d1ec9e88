//! The rules for one crawler, indexed for the evaluation of many URLs.

use std::collections::{HashMap, HashSet};

use url::Url;

use super::group::{Group, RuleKind};
use super::pattern::{Pattern, RobotsPath};
use super::{Robots, RobotsState};

/// The rules of a robots.txt for one crawler, with the same results as [`Group::is_allowed`] but indexed for
/// many URLs: on real sites only rules that are likely to match are tried.
///
/// A URL for which more than 500 rules would have to be tried, which requires a robots.txt that is built for
/// this purpose, counts as disallowed.
///
/// ```
/// use audit_engine::gather::robots::{Robots, RobotsPath};
///
/// let robots = Robots::parse(b"User-agent: *\nDisallow: /private\n");
/// let rules = robots.rules_for("AssayBot");
/// assert!(rules.allows(&RobotsPath::new("/")));
/// assert!(!rules.allows(&RobotsPath::new("/private/")));
/// ```
#[derive(Debug, Clone)]
pub struct RobotsRules {
    scope: Scope,
    crawl_delay: Option<f64>,
}

#[derive(Debug, Clone)]
enum Scope {
    Everything,
    /// Only robots.txt itself.
    Nothing,
    Indexed(Index),
}

impl RobotsRules {
    /// The rules of a crawler that ignores robots.txt: everything is allowed.
    pub const NONE: Self = Self {
        scope: Scope::Everything,
        crawl_delay: None,
    };

    /// The rules of a group, indexed.
    #[must_use]
    pub fn of_group(group: &Group<'_>) -> Self {
        let index = Index::new(group);
        Self {
            scope: if index.rules.is_empty() {
                Scope::Everything
            } else {
                Scope::Indexed(index)
            },
            crawl_delay: group.crawl_delay(),
        }
    }

    /// Whether the path may be fetched. robots.txt itself always may.
    #[must_use]
    pub fn allows(&self, path: &RobotsPath) -> bool {
        match &self.scope {
            Scope::Everything => true,
            Scope::Nothing => path.is_robots_txt(),
            Scope::Indexed(index) => path.is_robots_txt() || index.allows(path),
        }
    }

    /// The index in [`Group::rules`] of the rule that disallows the path. None if the path may be fetched, or
    /// if more than 500 rules would have to be tried.
    #[must_use]
    pub fn forbidding(&self, path: &RobotsPath) -> Option<usize> {
        match &self.scope {
            Scope::Indexed(index) if !path.is_robots_txt() => match index.deciding(path) {
                Deciding::Rule(rule) if rule.kind == RuleKind::Disallow => Some(rule.place),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the URL may be fetched. The caller must ensure that the rules are those of the URL's authority.
    #[must_use]
    pub fn allows_url(&self, url: &Url) -> bool {
        matches!(self.scope, Scope::Everything) || self.allows(&RobotsPath::from(url))
    }

    /// The longest `Crawl-delay` of the group in seconds.
    #[must_use]
    pub const fn crawl_delay(&self) -> Option<f64> {
        self.crawl_delay
    }
}

impl Robots {
    /// The indexed rules for the crawler with this product token.
    #[must_use]
    pub fn rules_for(&self, product_token: &str) -> RobotsRules {
        RobotsRules::of_group(&self.group_for(product_token))
    }
}

impl RobotsState {
    /// The indexed rules that apply to a crawler with this product token.
    #[must_use]
    pub fn rules_for(&self, product_token: &str) -> RobotsRules {
        match self {
            Self::Found(robots) => robots.rules_for(product_token),
            Self::Missing => RobotsRules::NONE,
            Self::Unreachable { .. } => RobotsRules {
                scope: Scope::Nothing,
                crawl_delay: None,
            },
        }
    }
}

/// Finds the rules that may match a path without trying all of them.
///
/// A rule without a star matches only paths that begin with its whole text, so it is found by the hash of a
/// prefix. A rule with stars matches only paths that contain each of its parts, so it is found by three bytes
/// of one part: the three that the fewest rules have.
#[derive(Debug, Clone, Default)]
struct Index {
    /// The most specific first.
    rules: Vec<Indexed>,
    by_beginning: HashMap<u64, Vec<usize>>,
    by_gram: HashMap<u32, Vec<usize>>,
    /// The lengths of grams in use, from 1 to 3.
    gram_lengths: [bool; 3],
    /// Rules that consist only of stars.
    of_stars: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Indexed {
    pattern: Pattern,
    kind: RuleKind,
    /// Its index in [`Group::rules`].
    place: usize,
}

impl Index {
    fn new(group: &Group<'_>) -> Self {
        let mut rules: Vec<Indexed> = group
            .rules()
            .iter()
            .enumerate()
            .map(|(place, rule)| Indexed {
                pattern: rule.pattern.clone(),
                kind: rule.kind,
                place,
            })
            .collect();
        // Of rules with the same length, `Allow` comes first (section 2.2.2).
        rules.sort_by_key(|rule| std::cmp::Reverse((rule.pattern.octets(), rule.kind)));
        // Of equal patterns only the first applies.
        let mut known = HashSet::new();
        rules.retain(|rule| known.insert(rule.pattern.clone()));
        let mut index = Self {
            rules,
            ..Self::default()
        };
        let counts = index.gram_counts();
        for (place, rule) in index.rules.iter().enumerate() {
            for parts in rule.pattern.parts() {
                match parts.as_slice() {
                    [beginning] => {
                        let places = index.by_beginning.entry(hash(beginning)).or_default();
                        if places.last() != Some(&place) {
                            places.push(place);
                        }
                    }
                    parts => match rarest(parts, &counts) {
                        Some((gram, length)) => {
                            if let Some(used) = index.gram_lengths.get_mut(length - 1) {
                                *used = true;
                            }
                            index.by_gram.entry(gram).or_default().push(place);
                        }
                        None => index.of_stars.push(place),
                    },
                }
            }
        }
        index
    }

    /// The number of rules with stars for each gram.
    fn gram_counts(&self) -> HashMap<u32, usize> {
        let mut counts = HashMap::new();
        for rule in &self.rules {
            for parts in rule.pattern.parts() {
                if let [_, _, ..] = parts.as_slice() {
                    for (gram, _) in grams(&parts) {
                        *counts.entry(gram).or_insert(0) += 1;
                    }
                }
            }
        }
        counts
    }

    fn allows(&self, path: &RobotsPath) -> bool {
        match self.deciding(path) {
            Deciding::Rule(rule) => rule.kind == RuleKind::Allow,
            Deciding::NoRule => true,
            Deciding::TooManyTries => false,
        }
    }

    fn deciding(&self, path: &RobotsPath) -> Deciding<'_> {
        let mut search = Search {
            index: self,
            path,
            best: self.rules.len(),
            tries: 0,
        };
        search.try_all(&self.of_stars);
        for text in path.forms() {
            let bytes = text.as_bytes();
            let mut state = HASH_OF_NOTHING;
            search.try_known(self.by_beginning.get(&state));
            for byte in bytes {
                state = hash_on(state, *byte);
                search.try_known(self.by_beginning.get(&state));
            }
            for (length, used) in (1..).zip(self.gram_lengths) {
                if used {
                    // A repeated gram finds the same rules.
                    let mut found: Vec<u32> = bytes.windows(length).map(gram).collect();
                    found.sort_unstable();
                    found.dedup();
                    for gram in found {
                        search.try_known(self.by_gram.get(&gram));
                    }
                }
            }
        }
        if search.tries > MAX_TRIES {
            return Deciding::TooManyTries;
        }
        self.rules
            .get(search.best)
            .map_or(Deciding::NoRule, Deciding::Rule)
    }
}

/// The decision on a path.
enum Deciding<'a> {
    /// The most specific rule that matches.
    Rule(&'a Indexed),
    /// No rule matches.
    NoRule,
    /// More rules would have to be tried than the limit.
    TooManyTries,
}

/// The most rules that are tried on one URL.
const MAX_TRIES: usize = 500;

/// The search for the most specific rule that matches a path.
struct Search<'a> {
    index: &'a Index,
    path: &'a RobotsPath,
    /// The index of the best rule; beyond the last index if there is none.
    best: usize,
    tries: usize,
}

impl Search<'_> {
    fn try_known(&mut self, places: Option<&Vec<usize>>) {
        self.try_all(places.map(Vec::as_slice).unwrap_or_default());
    }

    fn try_all(&mut self, places: &[usize]) {
        for place in places {
            // Indexes increase, and later rules are less specific.
            if *place >= self.best || self.tries > MAX_TRIES {
                break;
            }
            self.tries += 1;
            let rule = self.index.rules.get(*place);
            if rule.is_some_and(|rule| rule.pattern.matches(self.path)) {
                self.best = *place;
            }
        }
    }
}

/// FNV-1a, which can be continued byte by byte.
const HASH_OF_NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

fn hash(text: &str) -> u64 {
    text.bytes().fold(HASH_OF_NOTHING, hash_on)
}

fn hash_on(state: u64, byte: u8) -> u64 {
    (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// Up to three bytes and their number as one integer.
fn gram(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |gram, byte| {
        // The leading 1 distinguishes a short gram from a long one with zeros.
        if gram == 0 {
            0x100 | u32::from(*byte)
        } else {
            gram << 8 | u32::from(*byte)
        }
    })
}

/// The grams of the parts with their lengths. A short part is one shorter gram.
fn grams<'a>(parts: &'a [&str]) -> impl Iterator<Item = (u32, usize)> + 'a {
    parts
        .iter()
        .filter(|part| !part.is_empty())
        .flat_map(|part| {
            let length = part.len().min(3);
            part.as_bytes()
                .windows(length)
                .map(move |window| (gram(window), length))
        })
}

/// The gram that the fewest rules have, among the longest grams.
fn rarest(parts: &[&str], counts: &HashMap<u32, usize>) -> Option<(u32, usize)> {
    grams(parts).min_by_key(|(gram, length)| {
        let count = counts.get(gram).copied().unwrap_or(0);
        (std::cmp::Reverse(*length), count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_needs_too_many_rules_counts_as_disallowed() {
        let grams: Vec<String> = (b'a'..=b'z')
            .flat_map(|a| {
                (b'a'..=b'z').map(move |b| format!("{}{}0", char::from(a), char::from(b)))
            })
            .collect();
        let rules: String = grams
            .iter()
            .map(|gram| format!("Disallow: *{gram}*nowhere\n"))
            .collect();
        let robots = Robots::parse(format!("User-agent: *\n{rules}").as_bytes());
        let rules = robots.rules_for("AssayBot");
        assert!(!rules.allows(&RobotsPath::new(&format!("/{}", grams.concat()))));
        assert!(rules.allows(&RobotsPath::new(&format!("/{}", grams[..100].concat()))));
    }

    #[test]
    fn equal_rules_are_merged() {
        let text = format!("User-agent: *\n{}", "Disallow: *aaaQ\n".repeat(20_000));
        let rules = Robots::parse(text.as_bytes()).rules_for("AssayBot");
        let Scope::Indexed(index) = &rules.scope else {
            panic!("there are rules");
        };
        assert_eq!(index.rules.len(), 1);
    }
}
