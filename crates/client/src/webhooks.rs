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
    /// When the server returns an error or is unreachable.
    pub async fn webhooks(&self) -> Result<Reply<WebhookList>, Error> {
        self.call(Call::get(&["webhooks"])).await
    }

    /// Creates a webhook. Only this response contains its secret.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn create_webhook(
        &self,
        request: &CreateWebhookRequest,
    ) -> Result<Reply<CreatedWebhook>, Error> {
        self.call(Call::post(&["webhooks"]).json(request)?.once())
            .await
    }

    /// A webhook.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn webhook(&self, webhook: &str) -> Result<Reply<Webhook>, Error> {
        self.call(Call::get(&["webhooks", webhook])).await
    }

    /// Updates a webhook.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn update_webhook(
        &self,
        webhook: &str,
        request: &UpdateWebhookRequest,
    ) -> Result<Reply<Webhook>, Error> {
        let call = Call::new(Method::PATCH, &["webhooks", webhook]).json(request)?;
        self.call(call).await
    }

    /// Deletes a webhook.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn delete_webhook(&self, webhook: &str) -> Result<(), Error> {
        self.send_only(Call::new(Method::DELETE, &["webhooks", webhook]))
            .await
    }

    /// Sends a test event to a webhook.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn test_webhook(&self, webhook: &str) -> Result<(), Error> {
        self.send_only(Call::post(&["webhooks", webhook, "test"]).once())
            .await
    }

    /// A page of the deliveries of a webhook, newest first.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
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
