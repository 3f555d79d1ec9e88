//! The severity of a finding.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The impact of an issue on users of the site, worst first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// A function is broken or vulnerable to attack.
    Critical,
    /// Many users are affected.
    Serious,
    /// Some users are affected, or quality is reduced.
    Moderate,
    /// A small defect.
    Minor,
    /// Information; it does not affect scores and creates no action item.
    Info,
}
