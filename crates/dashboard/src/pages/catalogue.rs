//! The checks that the variant shows.

use domain::ports::CheckInfo;

use crate::visit::Visit;

/// The checks of the variant, in the order of their dimensions.
pub(super) fn catalogue(visit: &Visit) -> Vec<CheckInfo> {
    let dimensions = visit.variant().dimensions();
    let place = |check: &CheckInfo| {
        let mut places = dimensions.iter();
        places.position(|dimension| *dimension == check.dimension)
    };
    let mut checks = visit.state.checks.checks();
    checks.retain(|check| place(check).is_some());
    // Within a dimension the order stays.
    checks.sort_by_key(place);
    checks
}
