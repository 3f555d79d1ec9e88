//! The engine's catalogue behind the `CheckCatalogue` port.

use audit_engine::check::{Check, Need, reflowed};
use audit_engine::checks::{catalogue, find};
use domain::ports::{CheckCatalogue, CheckGuide, CheckInfo};

/// The checks of the engine in this process.
#[derive(Debug, Clone, Copy)]
pub struct EngineCatalogue;

impl CheckCatalogue for EngineCatalogue {
    fn checks(&self) -> Vec<CheckInfo> {
        catalogue().into_iter().map(info).collect()
    }

    fn check(&self, id: &str) -> Option<CheckInfo> {
        find(id).map(info)
    }

    fn guide(&self, id: &str) -> Option<CheckGuide> {
        find(id).map(guide)
    }
}

fn info(check: &'static Check) -> CheckInfo {
    CheckInfo {
        id: check.id.to_owned(),
        title: check.title.to_owned(),
        dimension: check.dimension,
        scope: check.scope.as_str().to_owned(),
        severity: check.severity,
        needs_browser: check.needs(Need::Browser),
        documentation: check.docs.to_owned(),
    }
}

fn guide(check: &'static Check) -> CheckGuide {
    let docs = check.documentation();
    CheckGuide {
        title: check.title.to_owned(),
        what: reflowed(&docs.what),
        why: reflowed(&docs.why),
        fix: reflowed(&docs.fix),
        limits: reflowed(&docs.limits),
        references: docs.references,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_guide_and_what_was_retired_has_none() {
        for check in EngineCatalogue.checks() {
            let guide = EngineCatalogue.guide(&check.id).unwrap();
            assert_eq!(guide.title, check.title);
            for part in [&guide.what, &guide.why, &guide.fix] {
                assert!(!part.is_empty(), "{}", check.id);
            }
        }
        assert_eq!(EngineCatalogue.guide("nothing"), None);
    }

    #[test]
    fn what_reports_say_about_scripts_comes_from_checks_that_need_a_browser() {
        // What robots.txt blocks is known without one, and what that changes is seen in one.
        const KNOWN_WITHOUT: [&str; 1] = ["robots-blocks-rendering-assets"];
        let checks = EngineCatalogue.checks();
        for id in report::view::ScriptsView::check_ids() {
            let check = checks.iter().find(|check| check.id == id);
            let needs_browser = check.map(|check| check.needs_browser);
            assert_eq!(needs_browser, Some(!KNOWN_WITHOUT.contains(&id)), "{id}");
        }
    }
}
