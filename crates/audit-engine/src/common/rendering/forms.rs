//! The two forms of a page: as served, and as a browser showed it.

use crate::check::Outcome;
use crate::view::Page;

/// A page that scripts may have changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forms<'a> {
    /// The response, which readers see that run no scripts.
    pub(crate) served: &'a Page,
    /// What a browser showed.
    pub(crate) shown: &'a Page,
}

impl<'a> Forms<'a> {
    /// The forms of a page. None if no browser showed it, or if no script runs on it: two requests may have different
    /// answers for other reasons, but then scripts are not one of them.
    pub(crate) fn of(page: &'a Page) -> Option<Self> {
        let served = page.as_served();
        let is_scripted = || served.runs_scripts() || page.runs_scripts();
        (page.is_rendered() && is_scripted()).then_some(Self {
            served,
            shown: page,
        })
    }

    /// Why what one form lacks may be in a part of it that the audit did not read; none if it read all.
    fn unread(self) -> Option<&'static str> {
        let is_cut =
            |page: &Page| page.document().truncated || page.parse_limits().next().is_some();
        if is_cut(self.served) || is_cut(self.shown) {
            return Some("The page is longer than the audit reads.");
        }
        // The contents of a template are not part of the tree (HTML Standard, section 4.12.3).
        let has_shadow = |template: crate::dom::ElementRef<'_>| template.has_attr("shadowrootmode");
        self.served
            .html("template")
            .any(has_shadow)
            .then_some("The response has declarative shadow trees, which the audit does not read.")
    }
}

/// Compares both forms of a page. Not applicable if there is only one; cannot tell if they seem to differ, and a part of
/// one is unknown.
pub(crate) fn compare<'a>(page: &'a Page, evaluate: impl FnOnce(Forms<'a>) -> Outcome) -> Outcome {
    let Some(forms) = Forms::of(page) else {
        return Outcome::NotApplicable;
    };
    match (evaluate(forms), forms.unread()) {
        (Outcome::Failed(_), Some(reason)) => Outcome::CannotTell(reason),
        (outcome, _) => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Evidence;
    use crate::check::testing::shown;

    fn outcome(page: &Page) -> Outcome {
        compare(page, |forms| {
            let is_same = forms.served.title() == forms.shown.title();
            Outcome::pass_if(is_same, || Evidence::here().message("x."))
        })
    }

    const SCRIPT: &str = "<title>a</title><script>x()</script>";

    #[test]
    fn pages_are_compared_if_scripts_run_in_either_form() {
        for (served, after) in [(SCRIPT, "<title>b</title>"), ("<title>b</title>", SCRIPT)] {
            let page = shown(Page::builder(), served, after);
            assert!(matches!(outcome(&page), Outcome::Failed(_)), "{served}");
        }
    }

    #[test]
    fn pages_without_scripts_or_without_a_browser_are_not_applicable() {
        let data = "<title>a</title><script type=application/json>{}</script>";
        let page = shown(Page::builder(), data, "<title>b</title>");
        assert_eq!(outcome(&page), Outcome::NotApplicable);
        let page = Page::builder().html(SCRIPT);
        assert_eq!(outcome(&page), Outcome::NotApplicable);
    }

    #[test]
    fn differences_are_unknown_where_a_part_was_not_read() {
        let deep = format!("{SCRIPT}{}", "<template><div>".repeat(300));
        let shadow = format!("{SCRIPT}<div><template shadowrootmode=open>x</template></div>");
        for served in [deep, shadow] {
            let differs = shown(Page::builder(), &served, "<title>b</title>");
            assert!(matches!(outcome(&differs), Outcome::CannotTell(_)));
            let same = shown(Page::builder(), &served, "<title>a</title>");
            assert_eq!(outcome(&same), Outcome::Passed);
        }
    }
}
