//! Webhooks.

use api_types::webhook::{
    CreateWebhookRequest, CreatedWebhook, DeliveryList, UpdateWebhookRequest, Webhook, WebhookList,
};
use reqwest::Method;

use crate::call::Call;
use crate::{Client, Error, Reply};

impl Client {
    /// All webhooks.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn webhooks(&self) -> Result<Reply<WebhookList>, Error> {
        self.call(Call::get(&["webhooks"])).await
    }

    /// Makes a webhook. Its secret is in this answer and in no other.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn create_webhook(
        &self,
        request: &CreateWebhookRequest,
    ) -> Result<Reply<CreatedWebhook>, Error> {
        self.call(Call::post(&["webhooks"]).json(request)?).await
    }

    /// A webhook.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn webhook(&self, webhook: &str) -> Result<Reply<Webhook>, Error> {
        self.call(Call::get(&["webhooks", webhook])).await
    }

    /// Changes a webhook.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn update_webhook(
        &self,
        webhook: &str,
        request: &UpdateWebhookRequest,
    ) -> Result<Reply<Webhook>, Error> {
        let call = Call::new(Method::PATCH, &["webhooks", webhook]).json(request)?;
        self.call(call).await
    }

    /// Removes a webhook.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn delete_webhook(&self, webhook: &str) -> Result<(), Error> {
        self.tell(Call::new(Method::DELETE, &["webhooks", webhook]))
            .await
    }

    /// Has a test event sent to a webhook.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn test_webhook(&self, webhook: &str) -> Result<(), Error> {
        self.tell(Call::post(&["webhooks", webhook, "test"])).await
    }

    /// A page of what was sent to a webhook, newest first.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn deliveries(
        &self,
        webhook: &str,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<DeliveryList>, Error> {
        let call = Call::get(&["webhooks", webhook, "deliveries"])
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }
}
