//! `assay webhooks`.

use anyhow::Result;
use api_types::webhook::{
    CreateWebhookRequest, Delivery, DeliveryStatus, DisabledReason, UpdateWebhookRequest, Webhook,
};

use super::session::Session;
use super::table::{sheet, table};
use super::times::minute;
use super::{labels, runs};
use crate::args::{WebhooksArgs, WebhooksCommand};
use crate::exit::Exit;
use crate::output::write_note;

pub(super) async fn webhooks(session: &Session, args: &WebhooksArgs) -> Result<Exit> {
    let client = &session.client;
    match &args.command {
        None | Some(WebhooksCommand::List { .. }) => {
            let list = client.webhooks().await?;
            session.print(&list, |list| {
                if list.webhooks.is_empty() {
                    return "No webhooks.\n".to_owned();
                }
                table(
                    ["STATE", "URL", "EVENTS", "WEBHOOK"],
                    list.webhooks.iter().map(|webhook| {
                        [
                            state(webhook).to_owned(),
                            webhook.url.clone(),
                            events(webhook),
                            webhook.webhook_id.clone(),
                        ]
                    }),
                )
            })?;
        }
        Some(WebhooksCommand::Create { url, events, .. }) => {
            let request = CreateWebhookRequest {
                url: url.clone(),
                events: events.iter().copied().map(Into::into).collect(),
            };
            let created = client.create_webhook(&request).await?;
            session.print(&created, |created| {
                format!(
                    "{}{}",
                    shown(&created.webhook),
                    sheet(&[("Secret", created.secret.clone())])
                )
            })?;
            if !session.json {
                write_note(
                    "The secret is shown only once. Store it where the receiver verifies signatures.",
                );
            }
        }
        Some(WebhooksCommand::Show { webhook, .. }) => {
            let id = session.webhook_id(webhook).await?;
            session.print(&client.webhook(&id).await?, shown)?;
        }
        Some(WebhooksCommand::Update {
            webhook,
            url,
            events,
            enable,
            disable,
            ..
        }) => {
            let id = session.webhook_id(webhook).await?;
            let events: Vec<_> = events.iter().copied().map(Into::into).collect();
            let request = UpdateWebhookRequest {
                url: url.clone(),
                events: (!events.is_empty()).then_some(events),
                enabled: (*enable || *disable).then_some(*enable),
            };
            session.print(&client.update_webhook(&id, &request).await?, shown)?;
        }
        Some(WebhooksCommand::Delete { webhook, .. }) => {
            let id = session.webhook_id(webhook).await?;
            client.delete_webhook(&id).await?;
            write_note(&format!("Deleted {id}"));
        }
        Some(WebhooksCommand::Test { webhook, .. }) => {
            let id = session.webhook_id(webhook).await?;
            client.test_webhook(&id).await?;
            write_note(&format!(
                "The test event is queued. See it with `assay webhooks deliveries {id}`."
            ));
        }
        Some(WebhooksCommand::Deliveries { webhook, page, .. }) => {
            let id = session.webhook_id(webhook).await?;
            let list = client
                .deliveries(&id, page.limit, page.cursor.as_deref())
                .await?;
            session.print(&list, |list| {
                if list.deliveries.is_empty() {
                    return "No deliveries yet.\n".to_owned();
                }
                table(
                    [
                        "CREATED (UTC)",
                        "EVENT",
                        "STATE",
                        "TRIES",
                        "LAST ANSWER",
                        "DELIVERY",
                    ],
                    list.deliveries.iter().map(row),
                )
            })?;
            runs::more(session, list.value.next_cursor.as_ref());
        }
    }
    Ok(Exit::Fine)
}

fn row(delivery: &Delivery) -> [String; 6] {
    let last = delivery.attempts.last();
    let answer = last.and_then(|last| {
        let status = last.status_code.map(|status| status.to_string());
        status.or_else(|| last.error.clone())
    });
    let event = serde_json::to_value(delivery.event).unwrap_or_default();
    [
        minute(&delivery.created_at),
        event.as_str().unwrap_or_default().to_owned(),
        match delivery.status {
            DeliveryStatus::Pending => "pending",
            DeliveryStatus::Delivered => "delivered",
            DeliveryStatus::Failed => "failed",
            DeliveryStatus::Cancelled => "cancelled",
        }
        .to_owned(),
        delivery.attempts.len().to_string(),
        answer.unwrap_or_else(|| "–".to_owned()),
        delivery.delivery_id.clone(),
    ]
}

fn events(webhook: &Webhook) -> String {
    let events = webhook.events.iter().copied().map(labels::event);
    events.collect::<Vec<_>>().join(", ")
}

const fn state(webhook: &Webhook) -> &'static str {
    match (webhook.enabled, webhook.disabled_reason) {
        (true, _) => "on",
        (false, Some(DisabledReason::Gone)) => "off: the receiver returned 410 Gone",
        (false, _) => "off",
    }
}

fn shown(webhook: &Webhook) -> String {
    sheet(&[
        ("Webhook", webhook.webhook_id.clone()),
        ("URL", webhook.url.clone()),
        ("State", state(webhook).to_owned()),
        ("Events", events(webhook)),
        ("Created", format!("{} UTC", minute(&webhook.created_at))),
    ])
}
