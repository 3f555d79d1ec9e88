//! Ids as tables show them and people type them: `run_01JD2Y3Z4A5B6C7D8E9F0GHJKM`, or only its end, `0GHJKM`.

/// The characters of an id after its prefix: those of a ULID.
pub(super) const LENGTH: usize = 26;
/// The fewest characters of an id that a table shows.
pub(super) const SHOWN: usize = 6;
/// The fewest characters that may be typed for an id.
const SHORTEST: usize = 4;

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

/// The end of an id that a person typed, in upper case; `None` for texts that cannot be one.
pub(super) fn typed_end(text: &str) -> Option<String> {
    let end = text.to_ascii_uppercase();
    ((SHORTEST..=LENGTH).contains(&end.len()) && is_ulid(&end)).then_some(end)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("run_01JD2Y3Z4A5B6C7D8E9F0GHJKM", "0GHJKM")]
    #[case("run_01JD", "run_01JD")]
    #[case("–", "–")]
    #[case("image_alt", "image_alt")]
    fn only_ids_are_shortened(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(end(text, SHOWN), expected);
    }

    #[rstest]
    #[case("0ghjkm", Some("0GHJKM"))]
    #[case("0GHJ", Some("0GHJ"))]
    #[case("GHJ", None)]
    #[case("example.com", None)]
    #[case("localhost", None)]
    #[case("run_01JD2Y3Z4A5B6C7D8E9F0GHJKM", None)]
    #[case("0123456789012345678901234567", None)]
    fn an_end_has_only_characters_of_ids(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(typed_end(text).as_deref(), expected);
    }
}
