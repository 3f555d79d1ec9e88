//! The settings of a site: its name, the options that its audits begin with, and its deletion.

use askama::Template;
use domain::id::SiteId;
use domain::ports::SiteRef;
use domain::site::{MAX_SITE_NAME_CHARS, Site, SiteName, SitePatch};

use super::nav::SiteNav;
use super::settings_form::SettingsForm;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::start::invalid_options;
use crate::reply::Reply;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "pages/sites/settings.html")]
struct Page {
    layout: Layout,
    nav: SiteNav,
    id: String,
    name: String,
    form: SettingsForm,
    most_name: usize,
    /// Whether the settings were saved just now.
    is_saved: bool,
    problem: Option<String>,
    delete_problem: Option<&'static str>,
}

pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, None, None)?)
}

/// The page; with a form that was not accepted, and why.
fn page(
    visit: &Visit,
    refused: Option<(SettingsForm, String)>,
    delete_problem: Option<&'static str>,
) -> Result<Page, Failure> {
    let site = site(visit)?;
    let (form, problem) = match refused {
        Some((form, problem)) => (form, Some(problem)),
        None => (stored(visit, &site)?, None),
    };
    let layout = Layout::new(visit, format!("Settings of {}", site.name), Section::Sites);
    Ok(Page {
        nav: SiteNav::new(&site, "settings", &layout),
        layout,
        id: site.id.to_string(),
        name: site.name,
        form,
        most_name: MAX_SITE_NAME_CHARS,
        is_saved: visit.query.text("done") == "saved",
        problem,
        delete_problem,
    })
}

/// The site that the path names.
fn site(visit: &Visit) -> Result<Site, Failure> {
    let id = visit.id("id", SiteId::parse)?;
    let (stores, variant) = (&visit.state.stores, visit.variant());
    let found = stores.site(visit.org()?, &id, variant)?;
    Ok(found.ok_or(Failure::NotFound)?.site)
}

/// The form as it is stored.
fn stored(visit: &Visit, site: &Site) -> Result<SettingsForm, Failure> {
    let defaults = (visit.state.stores).site_defaults(visit.org()?, &SiteRef::Id(&site.id))?;
    let options = defaults.ok_or(Failure::NotFound)?.options;
    Ok(SettingsForm::stored(
        &site.name,
        &options,
        &visit.state.settings,
    ))
}

/// Saves the name and the options. Headers that the form does not replace or remove stay as they are.
pub(super) fn save(visit: &Visit) -> Result<Reply, Failure> {
    let site = site(visit)?;
    let (org, stores, settings) = (visit.org()?, &visit.state.stores, &visit.state.settings);
    let before = stores.site_defaults(org, &SiteRef::Id(&site.id))?;
    let before = before.ok_or(Failure::NotFound)?.options;
    let form = SettingsForm::sent(&visit.form, &before, settings);
    let refused = |form, problem| Reply::invalid(&page(visit, Some((form, problem)), None)?);
    let Some(name) = SiteName::parse(&form.name) else {
        let problem = format!(
            "Name: enter 1 to {MAX_SITE_NAME_CHARS} characters, without control characters."
        );
        return refused(form, problem);
    };
    let options = match form.options(before) {
        Ok(options) => options,
        Err(problem) => return refused(form, problem),
    };
    if let Err(wrong) = options.validate(&settings.bounds) {
        return refused(form, invalid_options(&wrong));
    }
    let patch = SitePatch {
        name: Some(name),
        options: Some(options),
    };
    match stores.patch_site(org, &site.id, &patch, visit.now(), &visit.by()?)? {
        true => Ok(Reply::redirect(format!(
            "/sites/{}/settings?done=saved",
            site.id
        ))),
        false => Err(Failure::NotFound),
    }
}

/// Deletes the site, if the person typed its name.
pub(super) fn delete(visit: &Visit) -> Result<Reply, Failure> {
    let site = site(visit)?;
    if visit.form.text("name") != site.name {
        let problem = "This is not the name of the site. Nothing was deleted.";
        return Reply::invalid(&page(visit, None, Some(problem))?);
    }
    let stores = &visit.state.stores;
    match stores.delete_site(visit.org()?, &site.id, visit.now(), &visit.by()?)? {
        true => Ok(Reply::redirect("/")),
        false => Err(Failure::NotFound),
    }
}
