//! What scripts change, in the words of every format.

/// The heading of every format.
pub const HEADING: &str = "What scripts change";
/// The explanation of every format.
pub const MEANING: &str = "Crawlers without scripts, such as those of AI assistants and social networks, read the response. \
    Google reads it too, and the rendered page later. Visitors see the rendered page.";
/// What stands before the subjects without a difference.
pub(crate) const SAME: &str = "Found no difference";

/// What a check found, by who reads the page.
pub(crate) struct Difference {
    pub(crate) check_id: &'static str,
    /// What differs.
    pub(crate) subject: &'static str,
    pub(crate) without_scripts: &'static str,
    pub(crate) google: &'static str,
    pub(crate) visitors: &'static str,
}

/// The differences that checks find, those first that decide whether a page is found at all.
pub(crate) const DIFFERENCES: [Difference; 17] = [
    Difference {
        check_id: "render-changes-robots",
        subject: "Robots directives",
        without_scripts: "Those of the response",
        google: "The stricter ones; a page served with noindex is not rendered",
        visitors: "Not affected",
    },
    Difference {
        check_id: "render-redirects-by-script",
        subject: "Redirects by script",
        without_scripts: "The page before the redirect",
        google: "The target, later",
        visitors: "The target, after loading two pages",
    },
    Difference {
        check_id: "robots-blocks-rendering-assets",
        subject: "Scripts and styles that robots.txt blocks",
        without_scripts: "Not needed",
        google: "The page without them",
        visitors: "Not affected",
    },
    Difference {
        check_id: "render-changes-canonical",
        subject: "Canonical URL",
        without_scripts: "That of the response",
        google: "Either of the two",
        visitors: "Not affected",
    },
    Difference {
        check_id: "content-needs-js",
        subject: "Text",
        without_scripts: "Little or none of it",
        google: "Later",
        visitors: "All of it",
    },
    Difference {
        check_id: "render-removes-content",
        subject: "Text that scripts remove",
        without_scripts: "All of it",
        google: "All of it, then less",
        visitors: "What is left",
    },
    Difference {
        check_id: "render-blank",
        subject: "Pages that stay blank",
        without_scripts: "What is in the response",
        google: "A blank page",
        visitors: "A blank page",
    },
    Difference {
        check_id: "render-soft-404",
        subject: "Error pages with status 200",
        without_scripts: "A page",
        google: "An error page, if it recognizes it",
        visitors: "An error page",
    },
    Difference {
        check_id: "render-only-links",
        subject: "Links",
        without_scripts: "Not those that scripts write",
        google: "All, later",
        visitors: "All",
    },
    Difference {
        check_id: "images-only-after-js",
        subject: "Images",
        without_scripts: "Not those that scripts write",
        google: "All, later",
        visitors: "All, after the scripts",
    },
    Difference {
        check_id: "links-without-href",
        subject: "Links without an address",
        without_scripts: "None",
        google: "None: it does not click",
        visitors: "All",
    },
    Difference {
        check_id: "spa-hash-routes",
        subject: "Pages behind a # in the address",
        without_scripts: "One page",
        google: "One page",
        visitors: "Several pages",
    },
    Difference {
        check_id: "render-changes-title",
        subject: "Title, description and H1",
        without_scripts: "Those of the response",
        google: "Those that scripts write, later",
        visitors: "Those that scripts write",
    },
    Difference {
        check_id: "render-changes-hreflang",
        subject: "Language versions",
        without_scripts: "Those of the response",
        google: "Either of the two",
        visitors: "Not affected",
    },
    Difference {
        check_id: "render-only-structured-data",
        subject: "Structured data",
        without_scripts: "None",
        google: "All, later",
        visitors: "Not affected",
    },
    Difference {
        check_id: "render-only-social-tags",
        subject: "Preview in social networks",
        without_scripts: "None",
        google: "Not used",
        visitors: "Not affected",
    },
    Difference {
        check_id: "render-changes-lang",
        subject: "Language of the page",
        without_scripts: "That of the response",
        google: "Not used",
        visitors: "That which scripts set, for screen readers",
    },
];
