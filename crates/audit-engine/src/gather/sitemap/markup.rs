//! Helpers for both XML parsers: sitemaps and feeds.

use quick_xml::events::BytesRef;
use quick_xml::name::QName;

/// The character of a reference, if it is a number or one that XML predefines.
pub(super) fn resolved(reference: &BytesRef<'_>) -> Option<char> {
    match &**reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        "quot" => Some('"'),
        _ => reference.resolve_char_ref().ok().flatten(),
    }
}

/// The namespace prefix of a name.
pub(super) fn prefix_of(name: QName<'_>) -> Option<String> {
    name.prefix().map(|prefix| prefix.as_ref().to_owned())
}

/// Counts lines while the reader advances.
pub(super) struct Lines<'d> {
    rest: &'d [u8],
    position: u64,
    pub(super) line: usize,
}

impl<'d> Lines<'d> {
    pub(super) const fn new(text: &'d str) -> Self {
        Self {
            rest: text.as_bytes(),
            position: 0,
            line: 1,
        }
    }

    /// Advances to a position in bytes. An earlier position has no effect.
    pub(super) fn advance_to(&mut self, position: u64) {
        let distance = position.saturating_sub(self.position);
        let distance = usize::try_from(distance).unwrap_or(usize::MAX);
        let Some((passed, rest)) = self.rest.split_at_checked(distance) else {
            return;
        };
        let ends = passed.iter().filter(|byte| **byte == b'\n').count();
        self.line = self.line.saturating_add(ends);
        self.position = self.position.max(position);
        self.rest = rest;
    }
}
