//! Webhooks and their deliveries.

use api_types::event::EventType;
use api_types::webhook::{
    CreatedWebhook, Delivery, DeliveryAttempt, DeliveryList, DeliveryStatus, Webhook, WebhookEvent,
    WebhookList,
};

const WEBHOOK: &str = "whk_01KAK2P7R9T1V3X5Z7B9DFHKMQ";

pub(in crate::routes) fn webhook() -> Webhook {
    Webhook {
        webhook_id: WEBHOOK.to_owned(),
        url: "https://hooks.example.com/assay".to_owned(),
        events: vec![WebhookEvent::RunCompleted, WebhookEvent::RunFailed],
        enabled: true,
        disabled_reason: None,
        created_at: "2026-11-21T11:40:00.000Z".to_owned(),
        updated_at: "2026-11-21T11:40:00.000Z".to_owned(),
    }
}

pub(in crate::routes) fn created_webhook() -> CreatedWebhook {
    CreatedWebhook {
        webhook: webhook(),
        secret: "whsec_TXlTZWNyZXRJc05vU2VjcmV0SGVyZUl0SXNBbkV4YW1w".to_owned(),
    }
}

pub(in crate::routes) fn webhooks() -> WebhookList {
    WebhookList {
        webhooks: vec![webhook()],
    }
}

pub(in crate::routes) fn test_delivery() -> Delivery {
    Delivery {
        delivery_id: "dlv_01KAK2Q0A2C4E6G8J0M2P4R6T8".to_owned(),
        webhook_id: WEBHOOK.to_owned(),
        event_id: "evt_01KAK2Q0A2B3D5F7H9K1N3Q5S7".to_owned(),
        event: EventType::Test,
        status: DeliveryStatus::Pending,
        attempts: Vec::new(),
        next_attempt_at: Some("2026-11-21T11:41:00.000Z".to_owned()),
        created_at: "2026-11-21T11:41:00.000Z".to_owned(),
        finished_at: None,
    }
}

pub(in crate::routes) fn deliveries() -> DeliveryList {
    let attempt = |at: &str, status_code| DeliveryAttempt {
        at: at.to_owned(),
        duration_ms: 87,
        status_code: Some(status_code),
        error: None,
    };
    let delivered = Delivery {
        delivery_id: "dlv_01KAK2NB6J3K5M7P9R1T3V5X7Z".to_owned(),
        webhook_id: WEBHOOK.to_owned(),
        event_id: "evt_01KAK2M4T0W3Q8E6R5Y7N9PXZA".to_owned(),
        event: EventType::RunCompleted,
        status: DeliveryStatus::Delivered,
        attempts: vec![
            attempt("2026-11-21T12:00:39.600Z", 503),
            attempt("2026-11-21T12:00:44.911Z", 204),
        ],
        next_attempt_at: None,
        created_at: "2026-11-21T12:00:39.512Z".to_owned(),
        finished_at: Some("2026-11-21T12:00:45.002Z".to_owned()),
    };
    DeliveryList {
        deliveries: vec![delivered],
        next_cursor: None,
    }
}
