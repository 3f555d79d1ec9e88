//! Findings that repeat what other checks report.

/// The headline of a cause that repeats what the check `id` reports: "Repeats `link-name`: Links without discernible
/// text".
#[must_use]
pub fn repeats(id: &str, title: &str) -> String {
    format!("Repeats `{id}`: {title}")
}

/// The check that a headline of [`repeats`] names; `None` for other headlines.
#[must_use]
pub fn repeated(headline: &str) -> Option<&str> {
    let (id, _) = headline.strip_prefix("Repeats `")?.split_once("`: ")?;
    let is_id = !id.is_empty()
        && id
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    is_id.then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repeated_check_is_read_from_its_headline() {
        let headline = repeats("link-name", "Links without discernible text");
        assert_eq!(repeated(&headline), Some("link-name"));
        for other in [
            "Broken link",
            "Repeats `x y`: z",
            "Repeats ``: z",
            "Repeats `a`",
        ] {
            assert_eq!(repeated(other), None, "{other}");
        }
    }
}
