//! Selectors (Selectors Level 4), as far as they can be evaluated on a tree before any user
//! interaction.

use super::scan::{find_outside, split_outside};

/// A combinator between two compounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    NextSibling,
    LaterSibling,
}

/// How an attribute selector compares the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Present,
    Equal,
    Word,
    Dash,
    Prefix,
    Suffix,
    Part,
}

/// One condition on an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Simple {
    Tag(Box<str>),
    Id(Box<str>),
    Class(Box<str>),
    Attribute {
        name: Box<str>,
        comparison: Comparison,
        value: Box<str>,
        any_case: bool,
    },
    Root,
    FirstChild,
    LastChild,
    /// `:nth-child()` and its relatives.
    Nth(Nth),
    /// No element and no text inside.
    Empty,
    /// A link, visited or not.
    Link,
    /// A control that is disabled, or one that is not.
    Disabled(bool),
    /// `:is()` and `:where()`.
    Is {
        list: Vec<Selector>,
        /// Whether it is `:where()`, whose specificity is zero.
        is_weightless: bool,
    },
    /// `:not()`.
    Not(Vec<Selector>),
    /// Only while the user hovers over or focuses the element; never true on load.
    Never,
    /// An unsupported condition.
    Maybe,
    /// An unsupported condition with selectors as its argument. Its specificity is unknown, and counts as higher than any
    /// other.
    Unranked,
}

/// The position of an element among its siblings: `step` times any number from 0 on, plus `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Nth {
    pub(super) step: i32,
    pub(super) offset: i32,
    /// Whether only siblings with the same name count.
    pub(super) of_type: bool,
    /// Whether positions count from the end.
    pub(super) from_end: bool,
}

impl Nth {
    /// The only position that `:first-of-type` and its relatives select.
    const fn first(of_type: bool, from_end: bool) -> Self {
        Self {
            step: 0,
            offset: 1,
            of_type,
            from_end,
        }
    }

    /// Parses the argument, such as `odd` or `2n + 1`.
    fn parse(text: &str, of_type: bool, from_end: bool) -> Option<Self> {
        let text: String = text.to_ascii_lowercase().split_whitespace().collect();
        let (step, offset) = match text.as_str() {
            "odd" => (2, 1),
            "even" => (2, 0),
            other => match other.split_once('n') {
                None => (0, other.parse().ok()?),
                Some((step, offset)) => {
                    let step = match step {
                        "" | "+" => 1,
                        "-" => -1,
                        number => number.parse().ok()?,
                    };
                    let offset = if offset.is_empty() {
                        0
                    } else {
                        offset.parse().ok()?
                    };
                    (step, offset)
                }
            },
        };
        Some(Self {
            step,
            offset,
            of_type,
            from_end,
        })
    }

    /// Whether it selects this position, counted from 1.
    pub(super) fn selects(self, position: u32) -> bool {
        let ahead = i64::from(position) - i64::from(self.offset);
        match i64::from(self.step) {
            0 => ahead == 0,
            step => ahead % step == 0 && ahead / step >= 0,
        }
    }
}

/// Conditions on one element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Compound(pub(super) Vec<Simple>);

/// A selector: its subject, then the preceding compounds from right to left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selector {
    pub(super) subject: Compound,
    pub(super) before: Vec<(Combinator, Compound)>,
    pub(super) specificity: u32,
    /// Whether it depends on more than the element, its ancestors and their attributes: on siblings or on content.
    pub(super) depends_on_siblings: bool,
}

/// The index key that all elements matched by a selector have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    Id(&'a str),
    Class(&'a str),
    Tag(&'a str),
    Attribute(&'a str),
    Any,
}

impl Selector {
    /// Parses one selector; `None` if it is invalid or does not match elements.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::parse_within(text, 0)
    }

    /// As [`Self::parse`], for a selector inside this many lists such as that of `:is()`.
    fn parse_within(text: &str, depth: usize) -> Option<Self> {
        let mut reader = Reader {
            rest: text.trim(),
            depth,
        };
        let mut before = Vec::new();
        let mut current = reader.compound()?;
        while let Some(combinator) = reader.combinator() {
            let next = reader.compound()?;
            before.push((combinator, std::mem::replace(&mut current, next)));
        }
        if !reader.rest.is_empty() {
            return None;
        }
        before.reverse();
        let specificity = before
            .iter()
            .map(|(_, compound)| compound)
            .chain(std::iter::once(&current))
            .map(Compound::specificity)
            .fold(0, u32::saturating_add);
        let joins_siblings = |combinator: &Combinator| {
            matches!(
                combinator,
                Combinator::NextSibling | Combinator::LaterSibling
            )
        };
        let depends_on_siblings = before.iter().any(|(combinator, compound)| {
            joins_siblings(combinator) || compound.depends_on_siblings()
        }) || current.depends_on_siblings();
        Some(Self {
            subject: current,
            before,
            specificity,
            depends_on_siblings,
        })
    }

    /// Calls `found` with the name of each attribute that it reads, and whether it reads the value.
    pub(super) fn attributes(&self, found: &mut dyn FnMut(&str, bool)) {
        for compound in self.compounds() {
            for simple in &compound.0 {
                match simple {
                    Simple::Attribute {
                        name, comparison, ..
                    } => found(name, *comparison != Comparison::Present),
                    Simple::Is { list, .. } | Simple::Not(list) => {
                        for inner in list {
                            inner.attributes(found);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Calls `found` with each id that it names.
    pub(super) fn ids(&self, found: &mut dyn FnMut(&str)) {
        for compound in self.compounds() {
            for simple in &compound.0 {
                match simple {
                    Simple::Id(id) => found(id),
                    Simple::Is { list, .. } | Simple::Not(list) => {
                        for inner in list {
                            inner.ids(found);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn compounds(&self) -> impl Iterator<Item = &Compound> {
        let before = self.before.iter().map(|(_, compound)| compound);
        before.chain(std::iter::once(&self.subject))
    }

    /// The number of conditions in all its compounds.
    pub(super) fn conditions(&self) -> usize {
        self.compounds().map(Compound::conditions).sum()
    }

    /// The index key for elements that the selector may match.
    pub(super) fn key(&self) -> Key<'_> {
        let of = |wanted: fn(&Simple) -> Option<Key<'_>>| self.subject.0.iter().find_map(wanted);
        of(|simple| match simple {
            Simple::Id(id) => Some(Key::Id(id)),
            _ => None,
        })
        .or_else(|| {
            of(|simple| match simple {
                Simple::Class(class) => Some(Key::Class(class)),
                _ => None,
            })
        })
        .or_else(|| {
            of(|simple| match simple {
                Simple::Tag(tag) => Some(Key::Tag(tag)),
                _ => None,
            })
        })
        .or_else(|| {
            of(|simple| match simple {
                Simple::Attribute { name, .. } => Some(Key::Attribute(name)),
                _ => None,
            })
        })
        .unwrap_or(Key::Any)
    }
}

impl Compound {
    fn conditions(&self) -> usize {
        let of = |simple: &Simple| match simple {
            Simple::Is { list, .. } | Simple::Not(list) => {
                1 + list.iter().map(Selector::conditions).sum::<usize>()
            }
            _ => 1,
        };
        1 + self.0.iter().map(of).sum::<usize>()
    }

    fn specificity(&self) -> u32 {
        let of = |simple: &Simple| match simple {
            Simple::Id(_) => 1 << 20,
            Simple::Tag(_) => 1,
            Simple::Unranked => u32::MAX,
            Simple::Is {
                is_weightless: true,
                ..
            } => 0,
            Simple::Is { list, .. } | Simple::Not(list) => {
                let all = list.iter().map(|selector| selector.specificity);
                all.max().unwrap_or(0)
            }
            _ => 1 << 10,
        };
        self.0.iter().map(of).fold(0, u32::saturating_add)
    }

    fn depends_on_siblings(&self) -> bool {
        self.0.iter().any(|simple| match simple {
            Simple::FirstChild | Simple::LastChild | Simple::Nth(_) | Simple::Empty => true,
            Simple::Is { list, .. } | Simple::Not(list) => {
                list.iter().any(|inner| inner.depends_on_siblings)
            }
            _ => false,
        })
    }
}

/// Lists such as that of `:is()` inside each other. What deeper ones select is unknown.
const MAX_LISTS: usize = 4;

struct Reader<'a> {
    rest: &'a str,
    /// The number of lists around it.
    depth: usize,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, mark: char) -> bool {
        self.rest.strip_prefix(mark).is_some_and(|rest| {
            self.rest = rest;
            true
        })
    }

    fn combinator(&mut self) -> Option<Combinator> {
        let trimmed = self.rest.trim_start();
        let spaced = trimmed.len() < self.rest.len();
        let (combinator, rest) = match trimmed.chars().next()? {
            '>' => (Combinator::Child, trimmed.get(1..)?),
            '+' => (Combinator::NextSibling, trimmed.get(1..)?),
            '~' => (Combinator::LaterSibling, trimmed.get(1..)?),
            _ if spaced => (Combinator::Descendant, trimmed),
            _ => return None,
        };
        self.rest = rest.trim_start();
        Some(combinator)
    }

    fn compound(&mut self) -> Option<Compound> {
        let mut found = Vec::new();
        let mut any = self.eat('*');
        if !any && let Some(tag) = self.name() {
            found.push(Simple::Tag(tag.to_ascii_lowercase().into()));
        }
        loop {
            let simple = if self.eat('#') {
                Simple::Id(self.name()?.into())
            } else if self.eat('.') {
                Simple::Class(self.name()?.into())
            } else if self.eat('[') {
                self.attribute()?
            } else if self.eat(':') {
                self.pseudo()?
            } else if self.eat('&') {
                Simple::Maybe
            } else {
                break;
            };
            found.push(simple);
        }
        any |= !found.is_empty();
        // Most compounds have one condition, but a growing `Vec` allocates space for four.
        found.shrink_to_fit();
        any.then_some(Compound(found))
    }

    /// An identifier, with escapes resolved.
    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        while let Some(c) = self.rest.chars().next() {
            let after = self.rest.get(c.len_utf8()..)?;
            if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() {
                name.push(c);
                self.rest = after;
            } else if c == '\\' {
                self.rest = after;
                name.push(self.escaped()?);
            } else {
                break;
            }
        }
        (!name.is_empty()).then_some(name)
    }

    fn escaped(&mut self) -> Option<char> {
        let hex = self.rest.bytes().take_while(u8::is_ascii_hexdigit);
        let digits = hex.take(6).count();
        let (code, rest) = self.rest.split_at_checked(digits)?;
        if code.is_empty() {
            let c = rest.chars().next()?;
            self.rest = rest.get(c.len_utf8()..)?;
            return Some(c);
        }
        self.rest = rest.strip_prefix(' ').unwrap_or(rest);
        Some(char::from_u32(u32::from_str_radix(code, 16).ok()?).unwrap_or('\u{fffd}'))
    }

    /// The content of brackets or parentheses after the opening one.
    fn enclosed(&mut self, end: u8) -> Option<&'a str> {
        let at = find_outside(self.rest, &[end])?;
        let (inner, rest) = self.rest.split_at_checked(at)?;
        self.rest = rest.get(1..)?;
        Some(inner.trim())
    }

    fn attribute(&mut self) -> Option<Simple> {
        let inner = self.enclosed(b']')?;
        let Some(at) = inner.find('=') else {
            return Some(Simple::Attribute {
                name: inner.to_ascii_lowercase().into(),
                comparison: Comparison::Present,
                value: Box::default(),
                any_case: false,
            });
        };
        let (name, value) = (inner.get(..at)?, inner.get(at + 1..)?.trim());
        let comparison = match name.chars().last()? {
            '~' => Comparison::Word,
            '|' => Comparison::Dash,
            '^' => Comparison::Prefix,
            '$' => Comparison::Suffix,
            '*' => Comparison::Part,
            _ => Comparison::Equal,
        };
        let name = name.trim_end_matches(['~', '|', '^', '$', '*']).trim();
        let (value, flag) = match value.chars().next()? {
            quote @ ('"' | '\'') => value.get(1..)?.rsplit_once(quote)?,
            _ => value.split_once(' ').unwrap_or((value, "")),
        };
        Some(Simple::Attribute {
            name: name.to_ascii_lowercase().into(),
            comparison,
            value: value.into(),
            // HTML compares the values of some attributes case-insensitively.
            any_case: flag.trim().eq_ignore_ascii_case("i") || matches!(name, "type" | "dir"),
        })
    }

    fn pseudo(&mut self) -> Option<Simple> {
        // Pseudo-elements are not in the page's source, so a rule for one does not match elements.
        if self.eat(':') {
            return None;
        }
        let name = self.name()?.to_ascii_lowercase();
        let argument = if self.eat('(') {
            Some(self.enclosed(b')')?)
        } else {
            None
        };
        let attribute = |name: &str| Simple::Attribute {
            name: name.into(),
            comparison: Comparison::Present,
            value: Box::default(),
            any_case: false,
        };
        let nth = |of_type, from_end| Some(Simple::Nth(Nth::first(of_type, from_end)));
        Some(match (name.as_str(), argument) {
            ("before" | "after" | "first-line" | "first-letter", _) => return None,
            ("root", None) => Simple::Root,
            ("first-child", None) => Simple::FirstChild,
            ("last-child", None) => Simple::LastChild,
            ("first-of-type", None) => return nth(true, false),
            ("last-of-type", None) => return nth(true, true),
            ("only-child", None) => Simple::Is {
                list: Self::both(&[Simple::FirstChild, Simple::LastChild]),
                is_weightless: false,
            },
            ("only-of-type", None) => Simple::Is {
                list: Self::both(&[
                    Simple::Nth(Nth::first(true, false)),
                    Simple::Nth(Nth::first(true, true)),
                ]),
                is_weightless: false,
            },
            ("nth-child", Some(text)) => Self::nth(text, false, false),
            ("nth-last-child", Some(text)) => Self::nth(text, false, true),
            ("nth-of-type", Some(text)) => Self::nth(text, true, false),
            ("nth-last-of-type", Some(text)) => Self::nth(text, true, true),
            ("empty", None) => Simple::Empty,
            ("link" | "any-link", None) => Simple::Link,
            ("required", None) => attribute("required"),
            ("disabled", None) => Simple::Disabled(true),
            ("enabled", None) => Simple::Disabled(false),
            (
                "hover" | "focus" | "focus-within" | "focus-visible" | "active" | "visited"
                | "target" | "target-within" | "fullscreen" | "modal" | "popover-open" | "autofill"
                | "-webkit-autofill" | "user-invalid" | "user-valid" | "host" | "host-context",
                _,
            ) => Simple::Never,
            ("not", Some(list)) => self.list(list).map_or(Simple::Unranked, Simple::Not),
            ("is" | "matches" | "-webkit-any", Some(list)) => {
                self.list(list).map_or(Simple::Unranked, |list| Simple::Is {
                    list,
                    is_weightless: false,
                })
            }
            ("where", Some(list)) => Simple::Is {
                list: self
                    .list(list)
                    .unwrap_or_else(|| Self::both(&[Simple::Maybe])),
                is_weightless: true,
            },
            (_, Some(_)) => Simple::Unranked,
            (_, None) => Simple::Maybe,
        })
    }

    fn nth(text: &str, of_type: bool, from_end: bool) -> Simple {
        Nth::parse(text, of_type, from_end).map_or(Simple::Unranked, Simple::Nth)
    }

    /// A list of one selector that all these conditions are part of.
    fn both(conditions: &[Simple]) -> Vec<Selector> {
        let subject = Compound(conditions.to_vec());
        vec![Selector {
            depends_on_siblings: subject.depends_on_siblings(),
            specificity: 1 << 10,
            subject,
            before: Vec::new(),
        }]
    }

    /// The selectors of a list. `None` if one is not supported or has an unknown specificity, or if the list is nested too
    /// deeply.
    fn list(&self, list: &str) -> Option<Vec<Selector>> {
        if self.depth >= MAX_LISTS {
            return None;
        }
        let selectors = split_outside(list, b',');
        selectors
            .map(|text| {
                let selector = Selector::parse_within(text, self.depth + 1)?;
                (selector.specificity < u32::MAX).then_some(selector)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_parsed_from_their_subject() {
        let selector = Selector::parse("#a > .b p.c").unwrap();
        assert_eq!(selector.key(), Key::Class("c"));
        assert_eq!(selector.before[0].0, Combinator::Descendant);
        assert_eq!(selector.before[1].0, Combinator::Child);
        assert_eq!(selector.specificity, (1 << 20) + (2 << 10) + 1);
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(
            Selector::parse(".md\\:hide").unwrap().key(),
            Key::Class("md:hide")
        );
        assert_eq!(Selector::parse("#\\31 a").unwrap().key(), Key::Id("1a"));
    }

    #[test]
    fn pseudo_elements_and_invalid_selectors_are_rejected() {
        for text in [
            "a::before",
            "p:after",
            "",
            ">",
            "a >",
            "a[",
            ".",
            "a:not(",
            "é\\",
        ] {
            assert_eq!(Selector::parse(text), None, "{text}");
        }
    }
}
