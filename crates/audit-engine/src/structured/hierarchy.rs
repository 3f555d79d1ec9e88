//! The hierarchy of schema.org's types, from a generated table.

use std::collections::HashMap;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../data/schema-types.tsv");

/// Whether the type is `base` or one of its subtypes. Types that schema.org does not have are only themselves.
pub(crate) fn is_subtype(name: &str, base: &str) -> bool {
    static PARENTS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
        DATA.lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('\t'))
            .collect()
    });
    let mut pending = vec![name];
    let mut steps = 0_usize;
    while let Some(name) = pending.pop() {
        if name == base {
            return true;
        }
        steps = steps.saturating_add(1);
        if steps > MAX_STEPS {
            return false;
        }
        if let Some(parents) = PARENTS.get(name) {
            pending.extend(parents.split(' '));
        }
    }
    false
}

/// More steps than any type needs, in case the table has a cycle.
const MAX_STEPS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtypes_are_known_at_any_depth() {
        for (name, base) in [
            ("Bakery", "LocalBusiness"),
            ("Bakery", "Organization"),
            ("Bakery", "Place"),
            ("Hostel", "LocalBusiness"),
            ("AutoPartsStore", "Store"),
            ("Hackathon", "Event"),
            ("VideoGame", "SoftwareApplication"),
            ("Event", "Event"),
            ("NoSuchType", "NoSuchType"),
        ] {
            assert!(is_subtype(name, base), "{name} {base}");
        }
        for (name, base) in [
            ("Event", "MusicEvent"),
            ("Bakery", "Event"),
            ("NoSuchType", "Thing"),
            ("", "Thing"),
        ] {
            assert!(!is_subtype(name, base), "{name} {base}");
        }
    }

    #[test]
    fn the_table_has_no_cycle() {
        for line in DATA.lines().filter(|line| !line.starts_with('#')) {
            let (name, _) = line.split_once('\t').unwrap();
            assert!(is_subtype(name, "Thing"), "{name}");
        }
    }
}
