//! Thresholds of the quality gates.

use std::str::FromStr;

use domain::run::MAX_PATTERN_CHARS;
use domain::{Dimension, Severity};

/// A minimum score: the overall score, or the score of a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailUnder {
    /// The dimension; `None` for the overall score.
    pub dimension: Option<Dimension>,
    /// The minimum score that passes.
    pub least: u8,
}

impl FromStr for FailUnder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (dimension, number) = match text.split_once('=') {
            Some((name, number)) => (Some(dimension(name)?), number),
            None => (None, text),
        };
        match number.trim().parse::<u8>() {
            Ok(least) if least <= 100 => Ok(Self { dimension, least }),
            _ => Err("expected a score from 0 to 100, for example 80 or seo=90".to_owned()),
        }
    }
}

/// Which issues or causes a gate counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    /// All issues except those of severity `info`.
    All,
    /// Issues of one severity.
    Severity(Severity),
    /// Issues of a dimension, except those of severity `info`.
    Dimension(Dimension),
    /// The causes found by one check, which has at most one issue.
    Check(String),
}

/// A maximum number of issues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaxIssues {
    /// Which issues.
    pub counted: Counted,
    /// The maximum number.
    pub most: usize,
}

impl FromStr for MaxIssues {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (counted, number) = match text.split_once('=') {
            Some((name, number)) => (counted(name)?, number),
            None => (Counted::All, text),
        };
        let most = number.trim().parse().map_err(|_| {
            "expected a number, for example 20, serious=0, seo=5 or link-broken-internal=0"
                .to_owned()
        })?;
        Ok(Self { counted, most })
    }
}

/// What a budget limits on each page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budgeted {
    /// At most so many issues.
    Issues(u32),
    /// At most so many bytes of the decoded document.
    Bytes(u64),
    /// At least this score of a dimension.
    Score(Dimension, u8),
}

/// A limit for each page whose path and query match a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The pattern, as in robots.txt.
    pub pattern: String,
    /// The limit.
    pub limit: Budgeted,
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "expected PATTERN:LIMIT, for example /shop/*:issues=5, /:bytes=150000 or /docs/*:seo=90"
                .to_owned()
        };
        // A path may contain a colon, a limit does not.
        let (pattern, limit) = text.rsplit_once(':').ok_or_else(wrong)?;
        let (key, number) = limit.split_once('=').ok_or_else(wrong)?;
        if !is_pattern(pattern) {
            return Err(wrong());
        }
        let limit = match key.trim() {
            "issues" => Budgeted::Issues(number.trim().parse().map_err(|_| wrong())?),
            "bytes" => Budgeted::Bytes(number.trim().parse().map_err(|_| wrong())?),
            name => {
                let score = number.trim().parse::<u8>().ok();
                let score = score.filter(|score| *score <= 100);
                Budgeted::Score(dimension(name)?, score.ok_or_else(wrong)?)
            }
        };
        Ok(Self {
            pattern: pattern.to_owned(),
            limit,
        })
    }
}

/// Whether a text is a pattern for paths: it begins with `/` or `*`, is not too long, and has no spaces.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.starts_with(['/', '*'])
        && text.chars().count() <= MAX_PATTERN_CHARS
        && !text.contains(|c: char| c.is_control() || c.is_whitespace())
}

fn counted(name: &str) -> Result<Counted, String> {
    let name = name.trim();
    if let Ok(severity) = name.parse() {
        return Ok(Counted::Severity(severity));
    }
    if let Ok(dimension) = dimension(name) {
        return Ok(Counted::Dimension(dimension));
    }
    if audit_engine::checks::find(name).is_some() {
        return Ok(Counted::Check(name.to_owned()));
    }
    Err(format!(
        "{} is not a severity, dimension or check; `assay checks` lists the checks",
        report::plain::plain(name)
    ))
}

/// Parses the name of a dimension, ignoring case, hyphens, underscores and spaces.
pub(super) fn dimension(name: &str) -> Result<Dimension, String> {
    let bare = |name: &str| -> String {
        let letters = name.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
        letters.flat_map(char::to_lowercase).collect()
    };
    let wanted = bare(name);
    let mut known = Dimension::ALL.into_iter();
    known
        .find(|dimension| bare(dimension.as_str()) == wanted)
        .ok_or_else(|| {
            let names = Dimension::ALL.map(|dimension| dimension.as_str().to_owned());
            format!(
                "expected a dimension: {}",
                domain::text::enumeration(&names)
            )
        })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("80", None, 80)]
    #[case("seo=90", Some(Dimension::Seo), 90)]
    #[case("aiReadiness=0", Some(Dimension::AiReadiness), 0)]
    #[case("ai-readiness=100", Some(Dimension::AiReadiness), 100)]
    fn scores(#[case] text: &str, #[case] dimension: Option<Dimension>, #[case] least: u8) {
        assert_eq!(text.parse(), Ok(FailUnder { dimension, least }));
    }

    #[rstest]
    #[case("101")]
    #[case("-1")]
    #[case("seo")]
    #[case("seo=")]
    #[case("speed=90")]
    fn scores_that_are_none(#[case] text: &str) {
        assert!(text.parse::<FailUnder>().is_err());
    }

    #[rstest]
    #[case("/shop/*:issues=5", "/shop/*", Budgeted::Issues(5))]
    #[case("/:bytes=150000", "/", Budgeted::Bytes(150_000))]
    #[case(
        "*.html$:ai-readiness=90",
        "*.html$",
        Budgeted::Score(Dimension::AiReadiness, 90)
    )]
    #[case("/a:b:issues=0", "/a:b", Budgeted::Issues(0))]
    fn budgets_are_for_paths(#[case] text: &str, #[case] pattern: &str, #[case] limit: Budgeted) {
        let pattern = pattern.to_owned();
        assert_eq!(text.parse(), Ok(Budget { pattern, limit }));
    }

    #[rstest]
    #[case("/shop/*")]
    #[case("/shop/*:issues")]
    #[case("issues=5")]
    #[case("shop:issues=5")]
    #[case("/a b:issues=5")]
    #[case("/:issues=-1")]
    #[case("/:seo=101")]
    #[case("/:speed=90")]
    fn budgets_that_are_none(#[case] text: &str) {
        assert!(text.parse::<Budget>().is_err());
    }

    #[test]
    fn issues_are_counted_by_severity_dimension_or_check() {
        let counted = |text: &str| text.parse::<MaxIssues>().map(|max| (max.counted, max.most));
        assert_eq!(counted("20"), Ok((Counted::All, 20)));
        assert_eq!(
            counted("serious=0"),
            Ok((Counted::Severity(Severity::Serious), 0))
        );
        assert_eq!(
            counted("seo=5"),
            Ok((Counted::Dimension(Dimension::Seo), 5))
        );
        assert_eq!(
            counted("image-alt=1"),
            Ok((Counted::Check("image-alt".to_owned()), 1))
        );
        assert!(counted("nothing=1").is_err());
        assert!(counted("serious=few").is_err());
    }
}
