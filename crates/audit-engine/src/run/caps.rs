//! Findings that cap the score of a dimension.

use domain::Dimension;
use domain::score::Cap;

use crate::evaluation::collector::Collector;

/// A failed check, the dimension that it caps, the highest subscore, and the reason.
const CAPS: [(&str, Dimension, u8, &str); 6] = [
    (
        "noindex-sitewide",
        Dimension::Seo,
        30,
        "noindex blocks search engines from indexing the site",
    ),
    (
        "robots-blocks-all",
        Dimension::Seo,
        30,
        "robots.txt blocks search engines from the whole site",
    ),
    (
        "https-missing",
        Dimension::Security,
        30,
        "the site is not served over HTTPS",
    ),
    (
        "password-on-http",
        Dimension::Security,
        20,
        "a password is sent unencrypted",
    ),
    (
        "secret-in-source",
        Dimension::Security,
        40,
        "the source of a page contains a secret key",
    ),
    (
        "secret-in-script",
        Dimension::Security,
        40,
        "a script contains a secret key",
    ),
];

/// The caps that apply to this audit.
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
