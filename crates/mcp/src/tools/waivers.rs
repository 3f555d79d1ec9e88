//! `list_waivers`, `waive`. There is no tool that deletes waivers: people take back what they accepted.

use api_types::waiver::{CreateWaiverRequest, Waiver, WaiverState};
use report::untrusted::excerpt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::{given, more};
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

/// Waivers on a page, at most; they fit into a result whatever they say.
const PAGE: usize = 25;

pub(super) struct ListWaivers;

/// The site.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListArguments {
    /// Id of the site, from list_sites.
    site_id: String,
    /// The nextCursor of the previous page; empty for the first page.
    #[serde(default)]
    #[schema(default = "")]
    cursor: String,
}

/// The waivers of a site.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Waivers {
    /// The waivers, oldest first.
    waivers: Vec<WaiverSummary>,
    /// The total number.
    total: usize,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// A waiver.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WaiverSummary {
    /// Its id.
    waiver_id: String,
    /// The check whose findings are accepted.
    check_id: String,
    /// The pattern of the paths; null for all.
    path: Option<String>,
    /// The fingerprint of the cause; null for all.
    cause: Option<String>,
    /// Why, at most 200 characters.
    reason: String,
    /// When it expires; null for never.
    expires_at: Option<String>,
    /// Whether it applies.
    state: WaiverState,
}

impl From<Waiver> for WaiverSummary {
    fn from(waiver: Waiver) -> Self {
        Self {
            waiver_id: waiver.waiver_id,
            check_id: waiver.check_id,
            path: waiver.path.as_deref().map(excerpt),
            cause: waiver.cause,
            reason: excerpt(&waiver.reason),
            expires_at: waiver.expires_at,
            state: waiver.state,
        }
    }
}

impl Tool for ListWaivers {
    const NAME: &'static str = "list_waivers";
    const TITLE: &'static str = "List waivers";
    const DESCRIPTION: &'static str =
        "List the findings that the owner of a site accepts. They cost no points.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = ListArguments;
    type Output = Waivers;

    async fn call(context: &Context, arguments: ListArguments) -> Result<Waivers, Failure> {
        let list = context.client.waivers(&arguments.site_id).await?.value;
        let total = list.waivers.len();
        let start = match arguments.cursor.as_str() {
            "" => 0,
            cursor => cursor.parse().map_err(|_| {
                Failure::argument("cursor", "must be the nextCursor of an earlier result")
            })?,
        };
        let waivers = list.waivers.into_iter().skip(start).take(PAGE);
        let waivers: Vec<WaiverSummary> = waivers.map(Into::into).collect();
        let end = start.saturating_add(waivers.len());
        Ok(Waivers {
            next_cursor: (end < total).then(|| end.to_string()),
            waivers,
            total,
        })
    }

    fn next(list: &Waivers, _offers: Offers) -> String {
        more(
            list.next_cursor.as_deref(),
            "waive accepts further findings.",
        )
    }
}

pub(super) struct Waive;

/// The waiver.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct WaiveArguments {
    /// Id of the site, from list_sites.
    site_id: String,
    /// The check.
    check_id: String,
    /// Why the owner accepts it.
    #[schema(min_length = 1, max_length = 1_000)]
    reason: String,
    /// Only at URLs whose path matches this pattern of robots.txt; empty for all.
    #[serde(default)]
    #[schema(default = "", max_length = 500)]
    path: String,
    /// Only with this cause: its fingerprint; empty for all.
    #[serde(default)]
    #[schema(default = "")]
    cause: String,
    /// When it expires, RFC 3339; empty for never.
    #[serde(default)]
    #[schema(default = "")]
    expires_at: String,
}

impl Tool for Waive {
    const NAME: &'static str = "waive";
    const TITLE: &'static str = "Waive findings";
    const DESCRIPTION: &'static str = "Accept findings of a check on a site, if its owner decided so. From the next run on they cost no points.";
    const EFFECT: Effect = Effect::Adds;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = WaiveArguments;
    type Output = Waiver;

    async fn call(context: &Context, arguments: WaiveArguments) -> Result<Waiver, Failure> {
        let text = |text: &str| given(text).map(str::to_owned);
        let request = CreateWaiverRequest {
            path: text(&arguments.path),
            cause: text(&arguments.cause),
            expires_at: text(&arguments.expires_at),
            check_id: arguments.check_id,
            reason: arguments.reason,
        };
        let site = &arguments.site_id;
        Ok(context.client.create_waiver(site, &request).await?.value)
    }

    fn next(_waiver: &Waiver, _offers: Offers) -> String {
        "Call start_audit with the site's url: the waiver applies from the next run on.".to_owned()
    }
}
