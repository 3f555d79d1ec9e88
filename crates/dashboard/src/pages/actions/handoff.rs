//! A handoff: 1 to 10 action items as one prompt for a coding agent. It changes nothing.

use askama::Template;
use domain::action::{Dossier, FieldProblem, HandoffFormat, HandoffIds, InvalidAction};
use domain::id::ActionId;
use report::handoff::{HandoffItem, render};
use url::form_urlencoded::Serializer;

use super::filter::Choice;
use super::{list, words};
use crate::failure::Failure;
use crate::form::Form;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::visit::Visit;

/// An item of the prompt.
struct Row {
    id: String,
    title: String,
}

#[derive(Template)]
#[template(path = "pages/actions/handoff.html")]
struct Handoff {
    layout: Layout,
    rows: Vec<Row>,
    ids: Vec<String>,
    formats: Vec<Choice>,
    prompt: String,
    /// The query of the download.
    query: String,
}

/// The formats to choose from.
pub(super) fn formats(chosen: HandoffFormat) -> Vec<Choice> {
    let formats = HandoffFormat::ALL.into_iter().map(|format| Choice {
        value: format.as_str().to_owned(),
        label: match format {
            HandoffFormat::Markdown => "Any agent (Markdown)".to_owned(),
            HandoffFormat::Cursor => "Cursor".to_owned(),
        },
        is_chosen: format == chosen,
    });
    formats.collect()
}

/// What a form or an address asks for.
struct Asked {
    ids: Vec<String>,
    parsed: Result<(HandoffIds, HandoffFormat), InvalidAction>,
}

impl Asked {
    fn read(fields: &Form) -> Self {
        let ids: Vec<_> = fields.all("id").map(str::to_owned).collect();
        let format = fields.given("format").map(HandoffFormat::parse);
        let format = format.transpose().map(Option::unwrap_or_default);
        let parsed = HandoffIds::parse(ids.clone()).and_then(|ids| Ok((ids, format?)));
        Self { ids, parsed }
    }

    /// What is wrong, as a sentence.
    fn problem(&self, error: &InvalidAction) -> String {
        match error.problem() {
            FieldProblem::Count { most } => match self.ids.len() {
                0 => "Choose at least one item for the prompt.".to_owned(),
                chosen => format!("Choose at most {most} items for a prompt; you chose {chosen}."),
            },
            FieldProblem::Repeated => "An item was chosen twice.".to_owned(),
            _ => words::problem(error),
        }
    }
}

/// The page with the prompt. It answers the form of the list, and the address of one item's prompt.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let fields = match visit.form.fields() {
        [] => &visit.query,
        _ => &visit.form,
    };
    let asked = Asked::read(fields);
    let (ids, format) = match &asked.parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let problem = asked.problem(error);
            return list::refused(visit, fields.raw("list"), &asked.ids, problem);
        }
    };
    let dossiers = dossiers(visit, ids)?;
    let rows = dossiers.iter().map(|dossier| Row {
        id: dossier.item.id.to_string(),
        title: dossier.item.title.as_str().to_owned(),
    });
    Reply::page(&Handoff {
        layout: Layout::new(visit, "Handoff prompt", Section::Actions),
        rows: rows.collect(),
        ids: asked.ids.clone(),
        formats: formats(*format),
        prompt: prompt(visit, &dossiers, *format),
        query: query(ids, *format),
    })
}

/// The prompt as a file.
pub(super) fn download(visit: &Visit) -> Result<Reply, Failure> {
    let asked = Asked::read(&visit.query);
    let Ok((ids, format)) = &asked.parsed else {
        return Err(Failure::BadRequest(
            "The link must contain 1 to 10 different items.",
        ));
    };
    let prompt = prompt(visit, &dossiers(visit, ids)?, *format);
    let name = "assay-handoff.md";
    Ok(Reply::file(
        "text/markdown; charset=utf-8",
        name,
        prompt.into_bytes(),
    ))
}

fn query(ids: &HandoffIds, format: HandoffFormat) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("format", format.as_str());
    for id in ids.as_slice() {
        query.append_pair("id", id);
    }
    query.finish()
}

fn dossiers(visit: &Visit, ids: &HandoffIds) -> Result<Vec<Dossier>, Failure> {
    let (org, variant) = (visit.org()?, visit.variant());
    let dossiers = ids.as_slice().iter().map(|id| {
        let id = ActionId::parse(id).ok_or(Failure::NotFound)?;
        let dossier = visit.state.stores.dossier(org, &id, variant)?;
        dossier.ok_or(Failure::NotFound)
    });
    dossiers.collect()
}

fn prompt(visit: &Visit, dossiers: &[Dossier], format: HandoffFormat) -> String {
    let checks = &visit.state.checks;
    let guides = dossiers.iter().map(|dossier| {
        let audit = dossier.item.audit.as_ref()?;
        checks.guide(&audit.check_id)
    });
    let guides: Vec<_> = guides.collect();
    let items = dossiers.iter().zip(&guides);
    let items: Vec<_> = items
        .map(|(dossier, guide)| HandoffItem {
            dossier,
            docs: guide.as_ref(),
        })
        .collect();
    render(&items, format)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(query: &str) -> Option<String> {
        let asked = Asked::read(&Form::parse(query.as_bytes()));
        let error = asked.parsed.as_ref().err()?;
        Some(asked.problem(error))
    }

    #[test]
    fn a_prompt_has_one_to_ten_items_each_once() {
        assert_eq!(problem("id=act_1&id=act_2"), None);
        assert_eq!(problem("id=act_1&format=cursor"), None);
        let ids = |number: u32| {
            (0..number)
                .map(|id| format!("id=act_{id}&"))
                .collect::<String>()
        };
        assert_eq!(problem(&ids(10)), None);
        assert_eq!(
            problem(&ids(11)).as_deref(),
            Some("Choose at most 10 items for a prompt; you chose 11.")
        );
        assert_eq!(
            problem("format=markdown").as_deref(),
            Some("Choose at least one item for the prompt.")
        );
        assert_eq!(
            problem("id=act_1&id=act_1").as_deref(),
            Some("An item was chosen twice.")
        );
        assert_eq!(
            problem("id=act_1&format=pdf").as_deref(),
            Some("Format: must be one of markdown, cursor.")
        );
    }
}
