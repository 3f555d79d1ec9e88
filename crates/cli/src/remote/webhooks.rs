//! `assay webhooks`.

use anyhow::Result;
use api_types::webhook::{
    CreateWebhookRequest, Delivery, DeliveryStatus, DisabledReason, UpdateWebhookRequest, Webhook,
};

use super::session::Session;
use super::table::{sheet, table};
use super::times::minute;
use super::{labels, runs};
use crate::args::WebhooksCommand;
use crate::exit::Exit;
use crate::output::write_note;

pub(super) async fn webhooks(session: &Session, command: &WebhooksCommand) -> Result<Exit> {
    let client = &session.client;
    match command {
        WebhooksCommand::List { .. } => {
            let list = client.webhooks().await?;
            session.print(&list, |list| {
                if list.webhooks.is_empty() {
                    return "No webhooks.\n".to_owned();
                }
                table(
                    ["WEBHOOK", "STATE", "URL", "EVENTS"],
                    list.webhooks.iter().map(|webhook| {
                        [
                            webhook.webhook_id.clone(),
                            state(webhook).to_owned(),
                            webhook.url.clone(),
                            events(webhook),
                        ]
                    }),
                )
            })?;
        }
        WebhooksCommand::Create { url, events, .. } => {
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
        WebhooksCommand::Show { webhook, .. } => {
            session.print(&client.webhook(webhook).await?, shown)?;
        }
        WebhooksCommand::Update {
            webhook,
            url,
            events,
            enable,
            disable,
            ..
        } => {
            let events: Vec<_> = events.iter().copied().map(Into::into).collect();
            let request = UpdateWebhookRequest {
                url: url.clone(),
                events: (!events.is_empty()).then_some(events),
                enabled: (*enable || *disable).then_some(*enable),
            };
            session.print(&client.update_webhook(webhook, &request).await?, shown)?;
        }
        WebhooksCommand::Delete { webhook, .. } => {
            client.delete_webhook(webhook).await?;
            write_note(&format!("Deleted {webhook}"));
        }
        WebhooksCommand::Test { webhook, .. } => {
            client.test_webhook(webhook).await?;
            write_note(&format!(
                "The test event is queued. See it with `assay webhooks deliveries {webhook}`."
            ));
        }
        WebhooksCommand::Deliveries { webhook, page, .. } => {
            let list = client
                .deliveries(webhook, page.limit, page.cursor.as_deref())
                .await?;
            session.print(&list, |list| {
                if list.deliveries.is_empty() {
                    return "No deliveries yet.\n".to_owned();
                }
                table(
                    [
                        "DELIVERY",
                        "EVENT",
                        "STATE",
                        "TRIES",
                        "LAST ANSWER",
                        "CREATED (UTC)",
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
        delivery.delivery_id.clone(),
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
        minute(&delivery.created_at),
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
