//! Ids as tables show them and people type them: `run_01JD2Y3Z4A5B6C7D8E9F0GHJKM`, or only its end, `0GHJKM`.

/// The characters of an id after its prefix: those of a ULID.
pub(super) const LENGTH: usize = 26;
/// The fewest characters of an id that a table shows.
pub(super) const SHOWN: usize = 6;
/// The fewest characters that may be typed for an id.
pub(super) const SHORTEST: usize = 4;

/// What a person typed where an id is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A whole id, in its usual case.
    Whole(String),
    /// The last characters of an id, in upper case.
    End(String),
    /// The last characters of an id, but too few.
    TooShort,
    /// Text that cannot be an id or the end of one.
    Other,
}

impl Typed {
    /// Reads a text as an id with this prefix, in upper or lower case.
    #[must_use]
    pub fn new(prefix: &str, text: &str) -> Self {
        let prefixed = text.split_once('_');
        let prefixed = prefixed.filter(|(found, _)| found.eq_ignore_ascii_case(prefix));
        let end = prefixed.map_or(text, |(_, rest)| rest).to_ascii_uppercase();
        if end.is_empty() || !is_ulid(&end) {
            return Self::Other;
        }
        match end.len() {
            LENGTH if prefixed.is_some() => Self::Whole(format!("{prefix}_{end}")),
            SHORTEST..=LENGTH => Self::End(end),
            0..SHORTEST => Self::TooShort,
            _ => Self::Other,
        }
    }

    /// Whether a text of this kind names the id.
    #[must_use]
    pub fn names(&self, id: &str) -> bool {
        match self {
            Self::Whole(whole) => whole == id,
            Self::End(end) => is_whole(id) && id.ends_with(end.as_str()),
            Self::TooShort | Self::Other => false,
        }
    }
}

/// Whether a text is an id with its prefix.
pub(super) fn is_whole(text: &str) -> bool {
    text.split_once('_')
        .is_some_and(|(prefix, ulid)| is_prefix(prefix) && ulid.len() == LENGTH && is_ulid(ulid))
}

fn is_prefix(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The letters and digits of Crockford's base 32.
fn is_ulid(text: &str) -> bool {
    text.bytes().all(|byte| {
        byte.is_ascii_digit()
            || (byte.is_ascii_uppercase() && !matches!(byte, b'I' | b'L' | b'O' | b'U'))
    })
}

/// The last `length` characters of an id; other texts unchanged.
pub(super) fn end(id: &str, length: usize) -> &str {
    if is_whole(id) {
        id.get(id.len().saturating_sub(length)..).unwrap_or(id)
    } else {
        id
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const RUN: &str = "run_01JD2Y3Z4A5B6C7D8E9F0GHJKM";

    #[rstest]
    #[case(RUN, "0GHJKM")]
    #[case("run_01JD", "run_01JD")]
    #[case("–", "–")]
    #[case("image_alt", "image_alt")]
    fn only_ids_are_shortened(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(end(text, SHOWN), expected);
    }

    #[rstest]
    #[case("0ghjkm", Typed::End("0GHJKM".to_owned()))]
    #[case("0GHJ", Typed::End("0GHJ".to_owned()))]
    #[case("run_0ghj", Typed::End("0GHJ".to_owned()))]
    #[case("01JD2Y3Z4A5B6C7D8E9F0GHJKM", Typed::End("01JD2Y3Z4A5B6C7D8E9F0GHJKM".to_owned()))]
    #[case(RUN, Typed::Whole(RUN.to_owned()))]
    #[case("RUN_01jd2y3z4a5b6c7d8e9f0ghjkm", Typed::Whole(RUN.to_owned()))]
    #[case("GHJ", Typed::TooShort)]
    #[case("run_x", Typed::TooShort)]
    #[case("", Typed::Other)]
    #[case("run_", Typed::Other)]
    #[case("example.com", Typed::Other)]
    #[case("localhost", Typed::Other)]
    #[case("rep_01JD2Y3Z4A5B6C7D8E9F0GHJKM", Typed::Other)]
    #[case("0123456789012345678901234567", Typed::Other)]
    fn a_text_is_an_id_or_its_end_or_neither(#[case] text: &str, #[case] expected: Typed) {
        assert_eq!(Typed::new("run", text), expected);
    }

    #[rstest]
    #[case("0ghjkm", true)]
    #[case(RUN, true)]
    #[case("1GHJKM", false)]
    #[case("JKM", false)]
    fn an_end_names_the_ids_that_end_so(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(Typed::new("run", text).names(RUN), expected);
    }
}
