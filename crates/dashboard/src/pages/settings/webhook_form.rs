//! The fields of a webhook: where events go, and which.

use std::collections::BTreeSet;

use domain::event::EventKind;
use domain::ports::CreateWebhookError;
use domain::report::Variant;
use domain::usecase::WebhookRefused;
use domain::webhook::Webhook;

use super::choice::Choice;
use super::sentence;
use crate::failure::Failure;
use crate::form::Form;

/// The name of the boxes.
const EVENT: &str = "event";

/// The fields as the page shows them.
pub(super) struct WebhookFields {
    pub(super) url: String,
    pub(super) events: Vec<Choice>,
}

impl WebhookFields {
    /// The fields of a new webhook: all events are chosen.
    pub(super) fn empty(variant: Variant) -> Self {
        Self {
            url: String::new(),
            events: events(variant, |_| true),
        }
    }

    /// The fields as they are stored.
    pub(super) fn stored(webhook: &Webhook, variant: Variant) -> Self {
        Self {
            url: webhook.url.clone(),
            events: events(variant, |kind| webhook.events.contains(&kind)),
        }
    }

    /// The fields as the person sent them.
    pub(super) fn sent(form: &Form, variant: Variant) -> Self {
        let sent: Vec<&str> = form.all(EVENT).collect();
        Self {
            url: form.text("url").to_owned(),
            events: events(variant, |kind| sent.contains(&kind.as_str())),
        }
    }
}

fn events(variant: Variant, is_chosen: impl Fn(EventKind) -> bool) -> Vec<Choice> {
    subscribable(variant)
        .map(|kind| Choice::new(kind.as_str(), label(kind), is_chosen(kind)))
        .collect()
}

/// The events that a webhook of the variant may be sent; a test is sent on request alone.
fn subscribable(variant: Variant) -> impl Iterator<Item = EventKind> {
    let kinds = EventKind::all_in(variant).into_iter();
    kinds.filter(|kind| *kind != EventKind::Test)
}

/// An event in words.
pub(super) const fn label(kind: EventKind) -> &'static str {
    match kind {
        EventKind::RunCompleted => "An audit completed",
        EventKind::RunFailed => "An audit failed",
        EventKind::IssueRegressed => "A fixed issue came back",
        EventKind::ActionUpdated => "An action item changed",
        EventKind::ScheduleSkipped => "A scheduled audit was skipped",
        EventKind::Test => "Test",
    }
}

/// The events that the form chooses; none where it chooses none that the variant has.
pub(super) fn chosen(form: &Form, variant: Variant) -> Option<BTreeSet<EventKind>> {
    let sent: Vec<&str> = form.all(EVENT).collect();
    let chosen: BTreeSet<_> = subscribable(variant)
        .filter(|kind| sent.contains(&kind.as_str()))
        .collect();
    (!chosen.is_empty()).then_some(chosen)
}

/// Why a webhook was neither created nor changed, as a sentence for the person.
///
/// # Errors
/// Where the database failed.
pub(super) fn refusal(refused: WebhookRefused) -> Result<String, Failure> {
    match refused {
        WebhookRefused::Create(CreateWebhookError::Store(error)) => Err(error.into()),
        other => Ok(sentence(&other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_events_that_the_variant_has_are_chosen() {
        let form = Form::parse(b"event=run.completed&event=action.updated&event=test&event=x");
        let chosen = |variant| chosen(&form, variant).map(Vec::from_iter);
        assert_eq!(
            chosen(Variant::Current),
            Some(vec![EventKind::RunCompleted, EventKind::ActionUpdated])
        );
        assert_eq!(chosen(Variant::Legacy), Some(vec![EventKind::RunCompleted]));
        assert_eq!(super::chosen(&Form::default(), Variant::Current), None);
    }

    #[test]
    fn what_was_sent_is_shown_again() {
        let form = Form::parse(b"url=+https%3A%2F%2Fa.example%2F+&event=run.failed");
        let fields = WebhookFields::sent(&form, Variant::Legacy);
        assert_eq!(fields.url, "https://a.example/");
        let chosen = fields.events.iter().filter(|event| event.is_chosen);
        let chosen: Vec<_> = chosen.map(|event| event.value.as_str()).collect();
        assert_eq!(chosen, ["run.failed"]);
    }
}
