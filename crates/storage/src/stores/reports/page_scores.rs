//! The scores of a page, as they are stored.

use domain::report::PageScores;
use domain::score::Share;

use crate::database::error::StorageError;
use crate::database::values::known;

/// The scores by dimension in billionths, as a JSON list; `None` for a page without any.
pub(super) fn to_json(scores: &PageScores) -> Option<String> {
    let billionths = scores.0.map(|score| score.map(Share::billionths));
    let has_any = billionths.iter().any(Option::is_some);
    has_any.then(|| {
        let parts = billionths
            .map(|score| score.map_or_else(|| "null".to_owned(), |score| score.to_string()));
        format!("[{}]", parts.join(","))
    })
}

/// The scores that [`to_json`] stored.
pub(super) fn from_json(stored: Option<&str>) -> Result<PageScores, StorageError> {
    let Some(text) = stored else {
        return Ok(PageScores::default());
    };
    let billionths: Option<[Option<u32>; 6]> = serde_json::from_str(text).ok();
    let billionths = known("page scores", text, billionths)?;
    Ok(PageScores(
        billionths.map(|score| score.map(Share::from_billionths)),
    ))
}
