//! The pages of a site that a browser measured.

use domain::report::PageMeasurement;

use crate::lab::MeasuredLoad;

/// A page that a browser measured.
#[derive(Debug, Clone)]
pub struct MeasuredPage {
    /// What the report says about it.
    pub measurement: PageMeasurement,
    /// The load whose values are reported.
    pub load: MeasuredLoad,
}
