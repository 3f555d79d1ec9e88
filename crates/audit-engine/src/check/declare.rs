//! The macro that declares a check.

/// Declares a check as a constant.
///
/// The doc comment is the check's documentation: Markdown sections *What it checks*, *Why it
/// matters*, *How to fix it*, *Example*, *Limits*, *Also known as*, *References*, in that order. The two
/// examples run as tests: the first must fail, the second must pass. *Also known as* lists the names that
/// other tools and standards have for the rule (``axe: `label` ``), or says why there is none
/// (`None: reason`).
///
/// ```
/// use audit_engine::check::{Evidence, Outcome, Verdict};
/// use audit_engine::declare_check;
/// use audit_engine::view::Page;
///
/// declare_check! {
///     /// ## What it checks
///     /// Pages have a `blink` element.
///     BLINK {
///         id: "blink",
///         title: "Blinking text",
///         dimension: Accessibility,
///         scope: Page,
///         severity: Serious,
///         confidence: High,
///         effort: Small,
///         needs: [Dom],
///         stability: Stable { since: "0.1.0" },
///     } => Page(evaluate)
/// }
///
/// fn evaluate(page: &Page) -> Outcome {
///     Outcome::for_each(page.html("blink"), |blink| {
///         Verdict::Fail(Evidence::node(blink).message("This text blinks."))
///     })
/// }
///
/// assert_eq!(BLINK.id, "blink");
/// ```
#[macro_export]
macro_rules! declare_check {
    (
        $(#[doc = $doc:literal])+
        $name:ident {
            id: $id:literal,
            title: $title:literal,
            dimension: $dimension:ident,
            scope: $scope:ident,
            severity: $severity:ident,
            confidence: $confidence:ident,
            effort: $effort:ident,
            needs: [$($need:ident),* $(,)?],
            stability: Stable { since: $since:literal } $(,)?
        } => $rule:ident($($evaluate:path),+)
    ) => {
        $(#[doc = $doc])+
        pub(crate) const $name: $crate::check::Check = $crate::check::Check {
            id: $id,
            dimension: $crate::check::reexport::Dimension::$dimension,
            scope: $crate::check::Scope::$scope,
            severity: $crate::check::reexport::Severity::$severity,
            confidence: $crate::check::reexport::Confidence::$confidence,
            effort: $crate::check::Effort::$effort,
            title: $title,
            needs: &[$($crate::check::Need::$need),*],
            stability: $crate::check::Stability::Stable { since: $since },
            docs: concat!($($doc, "\n"),+),
            rule: $crate::check::Rule::$rule($($evaluate),+),
        };
    };
}
