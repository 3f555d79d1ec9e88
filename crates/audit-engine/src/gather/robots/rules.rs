//! The rules for one crawler, made ready to judge many URLs.

use std::collections::HashMap;

use url::Url;

use super::group::{Group, RuleKind};
use super::pattern::{Pattern, RobotsPath};
use super::{Robots, RobotsState};

/// The rules of a robots.txt for one crawler, with the same verdicts as [`Group::is_allowed`] and
/// ready to judge many URLs: the cost of one hardly depends on how many rules there are.
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
    /// Nothing but robots.txt itself.
    Nothing,
    Indexed(Index),
}

impl RobotsRules {
    /// The rules of one who asks no robots.txt: everything is allowed.
    pub const NONE: Self = Self {
        scope: Scope::Everything,
        crawl_delay: None,
    };

    pub(super) fn of_group(group: &Group<'_>) -> Self {
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

    /// Tells whether the path may be fetched. robots.txt itself always may.
    #[must_use]
    pub fn allows(&self, path: &RobotsPath) -> bool {
        match &self.scope {
            Scope::Everything => true,
            Scope::Nothing => path.is_robots_txt(),
            Scope::Indexed(index) => path.is_robots_txt() || index.allows(path),
        }
    }

    /// Tells whether the URL may be fetched. The rules are those of its authority; that is the
    /// caller's to see to.
    #[must_use]
    pub fn allows_url(&self, url: &Url) -> bool {
        matches!(self.scope, Scope::Everything) || self.allows(&RobotsPath::from(url))
    }

    /// The longest pause in seconds that the group asks for.
    #[must_use]
    pub const fn crawl_delay(&self) -> Option<f64> {
        self.crawl_delay
    }
}

impl Robots {
    /// The rules for the crawler with this product token, made ready to judge many URLs.
    #[must_use]
    pub fn rules_for(&self, product_token: &str) -> RobotsRules {
        RobotsRules::of_group(&self.group_for(product_token))
    }
}

impl RobotsState {
    /// What a crawler with this product token goes by, made ready to judge many URLs.
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

/// Finds the rules that may match a path without trying them all.
///
/// A rule without a star matches only paths that begin with all of it, so it is found by the hash of
/// a beginning. A rule with stars matches only paths in which each of its parts occurs, so it is
/// found by three octets of one part: by those that the fewest rules have.
#[derive(Debug, Clone, Default)]
struct Index {
    /// The most specific first.
    rules: Vec<Indexed>,
    by_beginning: HashMap<u64, Vec<usize>>,
    by_gram: HashMap<u32, Vec<usize>>,
    /// Lengths of grams in use, from 1 to 3.
    gram_lengths: [bool; 3],
    /// Rules of stars alone.
    of_stars: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Indexed {
    pattern: Pattern,
    kind: RuleKind,
}

impl Index {
    fn new(group: &Group<'_>) -> Self {
        let mut rules: Vec<Indexed> = group
            .rules()
            .iter()
            .map(|rule| Indexed {
                pattern: rule.pattern.clone(),
                kind: rule.kind,
            })
            .collect();
        // Of the same length, an `Allow` comes first (section 2.2.2).
        rules.sort_by_key(|rule| std::cmp::Reverse((rule.pattern.octets(), rule.kind)));
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

    /// How many rules with stars have each gram.
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
        let mut best = self.rules.len();
        for place in &self.of_stars {
            self.try_rule(*place, path, &mut best);
        }
        for text in path.forms() {
            let bytes = text.as_bytes();
            let mut state = HASH_OF_NOTHING;
            self.try_all(self.by_beginning.get(&state), path, &mut best);
            for byte in bytes {
                state = hash_on(state, *byte);
                self.try_all(self.by_beginning.get(&state), path, &mut best);
            }
            for (length, used) in (1..).zip(self.gram_lengths) {
                if used {
                    for window in bytes.windows(length) {
                        self.try_all(self.by_gram.get(&gram(window)), path, &mut best);
                    }
                }
            }
        }
        self.rules
            .get(best)
            .is_none_or(|rule| rule.kind == RuleKind::Allow)
    }

    fn try_all(&self, places: Option<&Vec<usize>>, path: &RobotsPath, best: &mut usize) {
        for place in places.into_iter().flatten() {
            // Places rise, and what comes later is less specific.
            if *place >= *best {
                break;
            }
            self.try_rule(*place, path, best);
        }
    }

    fn try_rule(&self, place: usize, path: &RobotsPath, best: &mut usize) {
        if place < *best
            && self
                .rules
                .get(place)
                .is_some_and(|rule| rule.pattern.matches(path))
        {
            *best = place;
        }
    }
}

/// FNV-1a, which can be continued octet by octet.
const HASH_OF_NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

fn hash(text: &str) -> u64 {
    text.bytes().fold(HASH_OF_NOTHING, hash_on)
}

fn hash_on(state: u64, byte: u8) -> u64 {
    (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// Up to three octets and their number as one.
fn gram(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |gram, byte| {
        // The leading 1 tells a short gram from a long one with zeros.
        if gram == 0 {
            0x100 | u32::from(*byte)
        } else {
            gram << 8 | u32::from(*byte)
        }
    })
}

/// The grams of the parts with their lengths; short parts have one that is as long as they are.
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

/// The gram that the fewest rules have, of the longest kind there is.
fn rarest(parts: &[&str], counts: &HashMap<u32, usize>) -> Option<(u32, usize)> {
    grams(parts).min_by_key(|(gram, length)| {
        let count = counts.get(gram).copied().unwrap_or(0);
        (std::cmp::Reverse(*length), count)
    })
}
