//! A small catalogue of checks.

use domain::ports::{CheckCatalogue, CheckGuide, CheckInfo};
use domain::{Dimension, Severity};

/// Two checks: `image-alt`, whose documentation has all possible sections, and `llms-txt-missing` of the sixth
/// dimension. The first has a guide.
#[derive(Debug, Clone, Copy)]
pub struct SampleChecks;

const IMAGE_ALT: &str = " ## What it checks

 Every `img` has an accessible name & <b>more</b>.

 <script>alert(1)</script>

 ## Example

 This fails:

 ```html
 <img src=\"plan.png\">
 ```

 ## References

 - WCAG 2.2, success criterion 1.1.1
";

impl CheckCatalogue for SampleChecks {
    fn checks(&self) -> Vec<CheckInfo> {
        vec![
            CheckInfo {
                id: "image-alt".to_owned(),
                title: "Images without a text alternative".to_owned(),
                dimension: Dimension::Accessibility,
                scope: "page".to_owned(),
                severity: Severity::Critical,
                needs_browser: false,
                documentation: IMAGE_ALT.to_owned(),
            },
            CheckInfo {
                id: "llms-txt-missing".to_owned(),
                title: "No <llms.txt>".to_owned(),
                dimension: Dimension::AiReadiness,
                scope: "site".to_owned(),
                severity: Severity::Info,
                needs_browser: true,
                documentation: "# What it checks\n\nWhether there is an llms.txt.\n".to_owned(),
            },
        ]
    }

    fn check(&self, id: &str) -> Option<CheckInfo> {
        self.checks().into_iter().find(|check| check.id == id)
    }

    fn guide(&self, id: &str) -> Option<CheckGuide> {
        (id == "image-alt").then(|| CheckGuide {
            title: "Images without a text alternative".to_owned(),
            what: "Every `img` has an accessible name.".to_owned(),
            why: "A screen reader falls back to the file name.".to_owned(),
            fix: "Say in `alt` what the image tells in its place.".to_owned(),
            limits: "Whether the text describes the image is not judged.".to_owned(),
            references: vec!["WCAG 2.2, success criterion 1.1.1".to_owned()],
        })
    }
}
