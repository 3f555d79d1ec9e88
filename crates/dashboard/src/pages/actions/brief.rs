//! The brief of an action item: instructions for working on it, written by the service when somebody asks.

use askama::Template;
use domain::action::{
    ActionBrief, BriefRequest, BriefStatus, Instructions, MAX_INSTRUCTIONS_CHARS,
};
use domain::id::ActionId;

use super::item::{self, Problems};
use super::words;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::visit::Visit;

/// Seconds after which the page of a brief that is being generated reloads.
const REFRESH_SECONDS: u32 = 3;

/// The state of a brief, as both pages show it.
pub(super) struct Brief {
    /// What the state means, in a sentence.
    pub(super) state: String,
    /// Whether it is queued or being generated.
    pub(super) is_pending: bool,
    pub(super) is_failed: bool,
    /// The latest brief, also while another one is generated.
    pub(super) content: Option<String>,
    pub(super) generated: Option<Time>,
    /// What the person asks for; or what was asked for last.
    pub(super) instructions: String,
    pub(super) most: usize,
    pub(super) problem: Option<String>,
}

impl Brief {
    fn new(brief: ActionBrief) -> Self {
        let state = match (brief.status, brief.error) {
            (BriefStatus::None, _) => {
                "A brief tells a person or an agent what to change, where, and how to verify it."
                    .to_owned()
            }
            (BriefStatus::Queued, _) => {
                "The brief is queued. It is usually ready in a few seconds.".to_owned()
            }
            (BriefStatus::Generating, _) => "The brief is being generated.".to_owned(),
            (BriefStatus::Ready, _) => "The brief is ready.".to_owned(),
            (BriefStatus::Failed, Some(error)) => error,
            (BriefStatus::Failed, None) => "The brief could not be generated.".to_owned(),
        };
        let instructions = brief.instructions.as_ref();
        Self {
            state,
            is_pending: matches!(brief.status, BriefStatus::Queued | BriefStatus::Generating),
            is_failed: brief.status == BriefStatus::Failed,
            content: brief.content,
            generated: Time::optional(brief.generated_at),
            instructions: instructions
                .map(|text| text.as_str().to_owned())
                .unwrap_or_default(),
            most: MAX_INSTRUCTIONS_CHARS,
            problem: None,
        }
    }
}

/// The brief of an item.
pub(super) fn read(visit: &Visit, id: &ActionId) -> Result<Brief, Failure> {
    let brief = visit.state.stores.brief(visit.org()?, id)?;
    Ok(Brief::new(brief.ok_or(Failure::NotFound)?))
}

#[derive(Template)]
#[template(path = "pages/actions/brief.html")]
struct Page {
    layout: Layout,
    id: String,
    title: String,
    brief: Brief,
}

/// The page of a brief; it reloads until the brief is ready.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let item = item::find(visit)?;
    let brief = read(visit, &item.id)?;
    let layout = Layout::new(visit, "Brief", Section::Actions);
    let layout = match brief.is_pending {
        true => layout.refreshed_every(REFRESH_SECONDS),
        false => layout,
    };
    Reply::page(&Page {
        layout,
        id: item.id.to_string(),
        title: item.title.as_str().to_owned(),
        brief,
    })
}

/// Asks for a brief. While one is queued, other instructions replace those that it was queued with.
pub(super) fn queue(visit: &Visit) -> Result<Reply, Failure> {
    let item = item::find(visit)?;
    let instructions = match Instructions::parse(&words::typed(&visit.form, "instructions")) {
        Ok(instructions) => instructions,
        Err(error) => {
            let problems = Problems {
                brief: Some(words::problem(&error)),
                ..Problems::default()
            };
            return Reply::invalid(&item::page(visit, &item.id, problems)?);
        }
    };
    let request = BriefRequest {
        instructions,
        at: visit.now(),
    };
    let (org, stores, by) = (visit.org()?, &visit.state.stores, visit.by()?);
    stores
        .queue_brief(org, &item.id, &request, &by, None)
        .map_err(item::not_changed)?;
    // Also for a brief that was already queued: an unnecessary wake-up is cheap.
    (visit.state.settings.on_brief_queued)();
    Ok(Reply::redirect(format!("/actions/{}/brief", item.id)))
}
