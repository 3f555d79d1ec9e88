//! Findings that limit what a dimension can score.

use domain::Dimension;
use domain::score::Cap;

use crate::evaluation::collector::Collector;

/// A failed check, the dimension it caps, the highest subscore left, and why.
const CAPS: [(&str, Dimension, u8, &str); 3] = [
    (
        "noindex-sitewide",
        Dimension::Seo,
        30,
        "search engines are told not to index the site",
    ),
    (
        "robots-blocks-all",
        Dimension::Seo,
        30,
        "robots.txt keeps search engines out of the whole site",
    ),
    (
        "https-missing",
        Dimension::Security,
        30,
        "the site is not served over https",
    ),
];

/// The caps that hold for this audit.
pub(crate) fn caps(collector: &Collector) -> Vec<Cap> {
    CAPS.into_iter()
        .filter(|(check_id, ..)| collector.failed(check_id))
        .map(|(check_id, dimension, maximum, reason)| Cap {
            dimension,
            maximum,
            check_id: check_id.to_owned(),
            reason: reason.to_owned(),
        })
        .collect()
}
