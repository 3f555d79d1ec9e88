//! Verifying a fix: an audit of the pages that an item was found on.

use domain::action::{Dossier, Verification};
use domain::text::count;

use super::item::{self, Problems};
use crate::failure::Failure;
use crate::pages::start;
use crate::reply::Reply;
use crate::visit::Visit;

/// What the page of an item says of the audit that would verify its fix.
pub(super) struct Verify {
    pub(super) button: &'static str,
    /// What it audits, as a sentence.
    pub(super) told: String,
}

/// The audit that would verify an item of an audit; none for an item that a person made.
pub(super) fn offer(visit: &Visit, dossier: &Dossier) -> Option<Verify> {
    let audit = dossier.item.audit.as_ref()?;
    let verification = verification(visit, dossier, dossier.site_url.as_deref()?);
    let Some(pages) = verification.pages else {
        return Some(Verify {
            button: "Audit the site now",
            told: "An audit of the whole site shows whether this is fixed.".to_owned(),
        });
    };
    let pages = u64::try_from(pages).unwrap_or(u64::MAX);
    let those = match pages {
        1 => "the page".to_owned(),
        pages => format!("the {pages} pages"),
    };
    let told = match audit.affected_pages > pages {
        true => format!(
            "The audit checks {} of {} that the issue was found on. To verify all of them, audit the whole site on its page.",
            pages,
            count(audit.affected_pages, "page", "pages")
        ),
        false => format!(
            "The audit checks {those} that the issue was found on, and sets the status to “Done” if it finds the issue on none of them. Its report has the scores of {those} alone."
        ),
    };
    Some(Verify {
        button: match pages {
            1 => "Audit this page now",
            _ => "Audit these pages now",
        },
        told,
    })
}

/// Starts the audit, and shows its run.
pub(super) fn start(visit: &Visit) -> Result<Reply, Failure> {
    let item = item::find(visit)?;
    let dossier = (visit.state.stores).dossier(visit.org()?, &item.id, visit.variant())?;
    let dossier = dossier.ok_or(Failure::NotFound)?;
    let parts = (dossier.item.audit.as_ref()).and(dossier.item.site_id.as_ref());
    let (Some(site), Some(url)) = (parts, dossier.site_url.as_deref()) else {
        return Err(Failure::Conflict(
            "This item was added by hand, so no audit can verify it. Set its status yourself."
                .to_owned(),
        ));
    };
    let Verification { url, options, .. } = verification(visit, &dossier, url);
    match start::start(visit, url, Some(site), options)? {
        Ok(run) => Ok(Reply::redirect(format!("/runs/{run}"))),
        Err(problem) => {
            let problems = Problems {
                verify: Some(problem),
                ..Problems::default()
            };
            Reply::invalid(&item::page(visit, &item.id, problems)?)
        }
    }
}

fn verification(visit: &Visit, dossier: &Dossier, site_url: &str) -> Verification {
    let most_pages = visit.state.settings.bounds.max_pages;
    Verification::new(dossier.issue.as_ref(), site_url, most_pages)
}
