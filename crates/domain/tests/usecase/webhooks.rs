//! Making and changing webhooks.

use std::collections::BTreeSet;

use domain::audit_log::Actor;
use domain::event::EventKind;
use domain::ports::{OrgStore, WebhookStore};
use domain::target::AllowTargets;
use domain::usecase::{CreateWebhook, WebhookRefused, create_webhook, update_webhook};
use domain::webhook::WebhookPatch;
use storage::Database;
use testkit::{FixedClock, SequentialIds, sample};

#[test]
fn a_receiver_that_is_refused_is_noted_by_its_host_alone() {
    let (stores, ids) = (Database::for_test(), SequentialIds::default());
    let org = sample::new_org(&ids);
    stores.create_org(&org, &Actor::System).unwrap();
    let (org, clock) = (org.id, FixedClock::new(sample::noon()));
    let allow = AllowTargets::default();
    let make = |url: &str| {
        let request = CreateWebhook {
            url: url.to_owned(),
            events: BTreeSet::from([EventKind::RunFailed]),
            by: Actor::CommandLine,
        };
        create_webhook(&stores, &clock, &ids, &allow, &org, request)
    };
    let refused = make("http://10.0.0.1/in?token=hunter2").unwrap_err();
    assert!(matches!(refused, WebhookRefused::Target(_)));
    let made = make("https://HOOKS.example.com/in#part").unwrap().webhook;
    assert_eq!(made.url, "https://hooks.example.com/in");
    let patch = WebhookPatch {
        url: Some("http://localhost/in?token=hunter2".to_owned()),
        ..WebhookPatch::default()
    };
    let which = (&org, Some(&made.id));
    let changed = update_webhook(&stores, &clock, &allow, which, patch, &Actor::CommandLine);
    assert!(matches!(changed, Err(WebhookRefused::Target(_))));
    assert_eq!(stores.webhooks(&org).unwrap(), [made]);
    let log = stores.audit_log(&org).unwrap();
    let refusals = log.iter().filter(|line| line.event == "target.refused");
    let subjects: Vec<_> = refusals.map(|line| line.subject.as_str()).collect();
    assert_eq!(subjects, ["10.0.0.1", "localhost"]);
    assert!(!format!("{log:?}").contains("hunter2"));
}
