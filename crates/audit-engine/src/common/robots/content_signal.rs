//! The value of a `Content-Signal` line in robots.txt.

/// Signals that the policy defines.
const SIGNALS: [&str; 3] = ["search", "ai-input", "ai-train"];

/// An entry of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    /// A signal and whether it allows the use.
    Signal {
        /// The signal's name in lower case.
        name: String,
        /// Whether the use is allowed.
        allowed: bool,
    },
    /// An entry that is in common use but does not allow or disallow anything.
    Neutral,
    /// An unknown entry, as written.
    Unknown(&'a str),
}

/// The entries of a value, in order. A leading path is ignored.
pub(crate) fn entries(value: &str) -> impl Iterator<Item = Entry<'_>> {
    let value = value.trim();
    let list = if value.starts_with('/') {
        value
            .split_once(char::is_whitespace)
            .map_or("", |(_, rest)| rest)
    } else {
        value
    };
    list.split(',').map(|entry| parse(entry.trim()))
}

fn parse(entry: &str) -> Entry<'_> {
    let Some((name, value)) = entry.split_once('=') else {
        return Entry::Unknown(entry);
    };
    let name = name.trim().to_ascii_lowercase();
    let value = value.trim().to_ascii_lowercase();
    match (name.as_str(), value.as_str()) {
        (known, "yes" | "no") if SIGNALS.contains(&known) => Entry::Signal {
            allowed: value == "yes",
            name,
        },
        ("use", "immediate" | "reference" | "full") => Entry::Neutral,
        _ => Entry::Unknown(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(name: &str, allowed: bool) -> Entry<'static> {
        Entry::Signal {
            name: name.to_owned(),
            allowed,
        }
    }

    #[test]
    fn signals_are_parsed_in_any_case_and_spacing() {
        let found: Vec<_> = entries("search=yes,AI-Train = No , use=reference").collect();
        assert_eq!(
            found,
            [
                signal("search", true),
                signal("ai-train", false),
                Entry::Neutral
            ]
        );
    }

    #[test]
    fn a_leading_path_is_ignored() {
        assert_eq!(
            entries("/docs/ search=no").collect::<Vec<_>>(),
            [signal("search", false)]
        );
    }

    #[test]
    fn undefined_signals_and_values_are_unknown() {
        let found: Vec<_> = entries("ai-training=no, search, search=maybe, ").collect();
        assert_eq!(
            found,
            [
                Entry::Unknown("ai-training=no"),
                Entry::Unknown("search"),
                Entry::Unknown("search=maybe"),
                Entry::Unknown("")
            ]
        );
    }
}
