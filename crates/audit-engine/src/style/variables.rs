//! Custom properties (CSS Custom Properties for Cascading Variables Level 1).

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::scan::{find_outside, split_outside};
use super::sheet::{Property, Registered};
use crate::bounds::style::{MAX_KEPT_VARIABLE_BYTES, MAX_VARIABLE_BYTES, MAX_VARIABLE_STEPS};

/// The longest value after substitution, in bytes.
const LONGEST: usize = 2_048;

/// References inside each other that are followed.
const MAX_DEPTH: usize = 16;

/// References that are resolved for one value.
const MAX_REFERENCES: usize = 200;

/// A value after substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Resolved {
    Value(String),
    /// A reference to a property without a value: the declaration has no effect.
    Invalid,
    /// The same, for a property that no element around declares.
    Missing,
    /// It depends on more than the source, or a limit is reached.
    Unknown,
}

/// Custom properties with their values, in the order of the properties. A value is `None` if it is unknown.
type Values = Arc<[(Property, Option<Box<str>>)]>;

/// The custom properties that one element declares.
#[derive(Debug)]
struct Scope {
    around: Option<usize>,
    own: Values,
}

/// The custom properties of all elements.
#[derive(Debug, Default)]
pub(super) struct Variables {
    scopes: Vec<Scope>,
    /// What elements declare, equal ones once.
    values: HashSet<Values>,
    /// The bytes of the values.
    bytes: usize,
    /// The scopes that were looked at.
    steps: Cell<u64>,
    registered: HashMap<Property, Registered>,
    /// Those that rules declare for any element.
    declared: HashSet<Property>,
}

impl Variables {
    pub(super) fn new<'a>(
        registered: impl Iterator<Item = &'a Registered>,
        declared: impl Iterator<Item = Property>,
    ) -> Self {
        let registered = registered.map(|one| (one.property, one.clone()));
        Self {
            registered: registered.collect(),
            declared: declared.collect(),
            ..Self::default()
        }
    }

    /// The scope of an element inside another one, with what it declares itself, in the order of the properties.
    pub(super) fn scope(
        &mut self,
        around: Option<usize>,
        own: Vec<(Property, Option<Box<str>>)>,
    ) -> Option<usize> {
        if own.is_empty() {
            return around;
        }
        let own = match self.values.get(own.as_slice()) {
            Some(known) => Arc::clone(known),
            None => {
                let texts = own
                    .iter()
                    .map(|(_, value)| value.as_ref().map_or(0, |text| text.len()));
                let bytes = texts.sum::<usize>() + size_of_val(own.as_slice());
                self.bytes = self.bytes.saturating_add(bytes);
                if self.is_over() {
                    return around;
                }
                let own: Values = own.into();
                self.values.insert(Arc::clone(&own));
                own
            }
        };
        self.scopes.push(Scope { around, own });
        Some(self.scopes.len() - 1)
    }

    /// Begins another page; lookups are counted for each.
    pub(super) fn begin_page(&mut self) {
        self.steps.set(0);
    }

    /// Whether the values may be kept for further pages.
    pub(super) const fn may_be_kept(&self) -> bool {
        self.bytes <= MAX_KEPT_VARIABLE_BYTES && !self.is_over()
    }

    /// Whether so much is declared or looked up that no reference has a certain value.
    const fn is_over(&self) -> bool {
        self.bytes > MAX_VARIABLE_BYTES || self.steps.get() > MAX_VARIABLE_STEPS
    }

    /// The value with all references replaced. `is_own` is whether the element of the value made the scope.
    pub(super) fn resolve(&self, value: &str, scope: Option<usize>, is_own: bool) -> Resolved {
        if !value.contains("var(") && !value.contains("env(") {
            return Resolved::Value(value.to_owned());
        }
        let left = Cell::new(MAX_REFERENCES);
        self.substitute(value, scope, is_own, 0, &left)
    }

    fn substitute(
        &self,
        value: &str,
        scope: Option<usize>,
        is_own: bool,
        depth: usize,
        left: &Cell<usize>,
    ) -> Resolved {
        if depth > MAX_DEPTH || value.contains("env(") || self.is_over() {
            return Resolved::Unknown;
        }
        let mut out = String::new();
        let mut rest = value;
        while let Some(at) = rest.find("var(") {
            let (Some(before), Some(inner)) = (rest.get(..at), rest.get(at + 4..)) else {
                return Resolved::Unknown;
            };
            out.push_str(before);
            let Some(end) = find_outside(inner, b")") else {
                return Resolved::Unknown;
            };
            let (Some(arguments), Some(after)) = (inner.get(..end), inner.get(end + 1..)) else {
                return Resolved::Unknown;
            };
            rest = after;
            if left.replace(left.get().saturating_sub(1)) == 0 {
                return Resolved::Unknown;
            }
            let name = split_outside(arguments, b',').next().unwrap_or_default();
            let fallback = arguments.get(name.len() + 1..);
            let mut found = self.value_of(name.trim(), scope, is_own, depth, left);
            let is_empty = matches!(found, Resolved::Invalid | Resolved::Missing);
            if is_empty && let Some(fallback) = fallback {
                found = self.substitute(fallback.trim(), scope, is_own, depth + 1, left);
            } else if found == Resolved::Missing {
                // If rules declare it for other elements, such as those of a theme that a script chooses, it may have
                // a value in browsers.
                let is_declared = self.declared.contains(&Property::custom(name.trim()));
                found = if is_declared {
                    Resolved::Unknown
                } else {
                    Resolved::Invalid
                };
            }
            match found {
                Resolved::Value(text) => out.push_str(&text),
                other => return other,
            }
            if out.len() > LONGEST {
                return Resolved::Unknown;
            }
        }
        out.push_str(rest);
        if out.len() > LONGEST {
            return Resolved::Unknown;
        }
        Resolved::Value(out)
    }

    fn value_of(
        &self,
        name: &str,
        scope: Option<usize>,
        is_own: bool,
        depth: usize,
        left: &Cell<usize>,
    ) -> Resolved {
        let property = Property::custom(name);
        let registered = self.registered.get(&property);
        let inherits = registered.is_none_or(|one| one.inherits);
        let mut current = scope;
        let mut is_here = is_own;
        let mut is_missing = true;
        while let Some(scope) = current.and_then(|place| self.scopes.get(place)) {
            self.steps.set(self.steps.get().saturating_add(1));
            let place = scope
                .own
                .binary_search_by_key(&property, |(known, _)| *known);
            if let Ok(place) = place
                && let Some((_, value)) = scope.own.get(place)
                && (inherits || is_here)
            {
                return match value.as_deref() {
                    None => Resolved::Unknown,
                    Some(value) if is_word(value, "initial") => {
                        self.initial(registered, depth, left)
                    }
                    Some(value) if is_word(value, "inherit") || is_word(value, "unset") => {
                        current = scope.around;
                        (is_here, is_missing) = (false, false);
                        continue;
                    }
                    Some(value) if is_word(value, "revert") || is_word(value, "revert-layer") => {
                        Resolved::Unknown
                    }
                    Some(value) => self.substitute(value, current, is_here, depth + 1, left),
                };
            }
            current = scope.around;
            is_here = false;
        }
        match self.initial(registered, depth, left) {
            Resolved::Invalid if is_missing && registered.is_none() => Resolved::Missing,
            found => found,
        }
    }

    fn initial(
        &self,
        registered: Option<&Registered>,
        depth: usize,
        left: &Cell<usize>,
    ) -> Resolved {
        match registered.and_then(|one| one.initial.as_deref()) {
            Some(value) => self.substitute(value, None, false, depth + 1, left),
            None => Resolved::Invalid,
        }
    }
}

fn is_word(value: &str, word: &str) -> bool {
    value.trim().eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(scopes: &[&[(&str, &str)]]) -> (Variables, Option<usize>) {
        let mut variables = Variables::default();
        let mut scope = None;
        for own in scopes {
            let own = own
                .iter()
                .map(|(name, value)| (Property::custom(name), Some((*value).into())));
            let mut own: Vec<_> = own.collect();
            own.sort();
            scope = variables.scope(scope, own);
        }
        (variables, scope)
    }

    fn value(text: &str) -> Resolved {
        Resolved::Value(text.to_owned())
    }

    #[test]
    fn values_come_from_the_nearest_element() {
        let (variables, scope) = variables(&[
            &[
                ("--a", "1"),
                ("--b", "var(--a) 2"),
                ("--c", "initial"),
                ("--d", "inherit"),
            ],
            &[("--a", "3"), ("--b", "unset")],
        ]);
        for (text, expected) in [
            ("var(--a)", value("3")),
            // A reference is resolved where it is declared.
            ("rgb(var(--b))", value("rgb(1 2)")),
            ("var(--x, var(--a))", value("3")),
            ("var(--x,)", value("")),
            ("var(--c, 4)", value("4")),
            ("var(--d, 4)", value("4")),
            ("var(--x)", Resolved::Invalid),
            ("env(--a)", Resolved::Unknown),
            ("var(--a", Resolved::Unknown),
        ] {
            assert_eq!(variables.resolve(text, scope, true), expected, "{text}");
        }
    }

    #[test]
    fn a_property_that_rules_declare_for_other_elements_may_have_a_value() {
        let declared = [Property::custom("--a")];
        let variables = Variables::new(std::iter::empty(), declared.into_iter());
        let resolve = |text| variables.resolve(text, None, false);
        assert_eq!(resolve("var(--a)"), Resolved::Unknown);
        assert_eq!(resolve("var(--b)"), Resolved::Invalid);
        assert_eq!(resolve("var(--a,1)"), value("1"));
    }

    #[test]
    fn registered_properties_have_an_initial_value_and_may_not_be_inherited() {
        let property = Property::custom("--a");
        let registered = Registered {
            property,
            inherits: false,
            initial: Some("1".into()),
        };
        let mut variables = Variables::new(std::iter::once(&registered), std::iter::empty());
        let own = |text: &str| vec![(property, Some(text.into()))];
        let outer = variables.scope(None, own("2"));
        assert_eq!(variables.resolve("var(--a)", outer, true), value("2"));
        let other = vec![(Property::custom("--b"), Some("3".into()))];
        let inner = variables.scope(outer, other);
        assert_eq!(variables.resolve("var(--a)", inner, true), value("1"));
    }

    #[test]
    fn cycles_and_growing_values_are_unknown() {
        let (cyclic, scope) = variables(&[&[("--a", "var(--b)"), ("--b", "var(--a)")]]);
        assert_eq!(cyclic.resolve("var(--a)", scope, true), Resolved::Unknown);
        let names: Vec<String> = (0..20).map(|n| format!("--a{n}")).collect();
        let values: Vec<String> = (0..20)
            .map(|n| format!("var(--a{0}) var(--a{0})", n + 1))
            .collect();
        let own: Vec<(&str, &str)> = names
            .iter()
            .zip(&values)
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let (growing, scope) = variables(&[&own]);
        assert_eq!(growing.resolve("var(--a0)", scope, true), Resolved::Unknown);
        let long = "x".repeat(LONGEST);
        let (long, scope) = variables(&[&[("--a", &long)]]);
        assert_eq!(long.resolve("1var(--a)", scope, true), Resolved::Unknown);
    }

    #[test]
    fn lookups_beyond_the_limit_are_unknown_until_the_next_page() {
        let (mut variables, scope) = variables(&[&[("--a", "1")]]);
        assert_eq!(variables.resolve("var(--a)", scope, true), value("1"));
        variables.steps.set(MAX_VARIABLE_STEPS + 1);
        assert_eq!(
            variables.resolve("var(--a)", scope, true),
            Resolved::Unknown
        );
        assert!(!variables.may_be_kept());
        variables.begin_page();
        assert_eq!(variables.resolve("var(--a)", scope, true), value("1"));
    }

    #[test]
    fn equal_declarations_are_stored_once() {
        let own = || vec![(Property::custom("--a"), Some("1".into()))];
        let mut variables = Variables::default();
        let outer = variables.scope(None, own());
        let bytes = variables.bytes;
        let inner = variables.scope(outer, own());
        assert!(inner > outer && variables.bytes == bytes);
    }
}
