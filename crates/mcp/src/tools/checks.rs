//! `list_checks`, `get_check`.

use api_types::check::Check;
use api_types::dimension::Dimension;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::{checks, more};
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct ListChecks;

/// Filters and pagination.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListArguments {
    /// Filter by dimension; omit for all.
    #[serde(default)]
    #[schema(nullable = false)]
    dimension: Option<Dimension>,
    /// Filter by words in the id or title.
    #[serde(default)]
    #[schema(default = "")]
    query: String,
    /// The maximum number of entries.
    #[serde(default = "checks")]
    #[schema(default = 50, minimum = 1, maximum = 100)]
    limit: u32,
    /// The nextCursor of the previous page.
    #[serde(default)]
    #[schema(default = "")]
    cursor: String,
}

/// A page of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Checks {
    /// The checks, by dimension and id.
    checks: Vec<Check>,
    /// The total number.
    total: usize,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

impl Tool for ListChecks {
    const NAME: &'static str = "list_checks";
    const TITLE: &'static str = "List checks";
    const DESCRIPTION: &'static str = "List the checks with their dimension, severity and weight.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = ListArguments;
    type Output = Checks;

    async fn call(context: &Context, arguments: ListArguments) -> Result<Checks, Failure> {
        let start: usize = match arguments.cursor.as_str() {
            "" => 0,
            cursor => cursor.parse().map_err(|_| {
                Failure::argument("cursor", "must be the nextCursor of an earlier result")
            })?,
        };
        let words: Vec<String> = arguments
            .query
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        let mut found = context.client.checks().await?.value.checks;
        found.retain(|check| {
            let text = format!("{} {}", check.check_id, check.title.to_lowercase());
            arguments
                .dimension
                .is_none_or(|only| check.dimension == only)
                && words.iter().all(|word| text.contains(word.as_str()))
        });
        let total = found.len();
        let length = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
        let checks: Vec<Check> = found.into_iter().skip(start).take(length).collect();
        let end = start.saturating_add(checks.len());
        Ok(Checks {
            checks,
            total,
            next_cursor: (end < total).then(|| end.to_string()),
        })
    }

    fn next(list: &Checks, _offers: Offers) -> String {
        let next = "get_check documents a check.";
        more(list.next_cursor.as_deref(), next)
    }
}

pub(super) struct GetCheck;

/// A check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetArguments {
    /// The checkId of an issue.
    check_id: String,
}

/// A check with its documentation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckWithDocumentation {
    /// The check.
    check: Check,
    /// What it tests, why it matters and how to fix its findings, as Markdown.
    documentation: String,
}

impl Tool for GetCheck {
    const NAME: &'static str = "get_check";
    const TITLE: &'static str = "Get a check";
    const DESCRIPTION: &'static str = "Get the documentation of a check: what it tests, why it matters, how to fix it, with examples.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = GetArguments;
    type Output = CheckWithDocumentation;

    async fn call(
        context: &Context,
        arguments: GetArguments,
    ) -> Result<CheckWithDocumentation, Failure> {
        let checks = context.client.checks().await?.value.checks;
        let check = checks
            .into_iter()
            .find(|check| check.check_id == arguments.check_id);
        let Some(check) = check else {
            return Err(Failure::new(
                "not_found",
                format!(
                    "Unknown check {:?}.\nlist_checks lists all checks.",
                    arguments.check_id
                ),
            ));
        };
        let documentation = context.client.check_page(&check.check_id).await?;
        Ok(CheckWithDocumentation {
            check,
            documentation,
        })
    }

    fn next(_check: &CheckWithDocumentation, _offers: Offers) -> String {
        "list_occurrences lists what the check found, with the issueId in get_report.".to_owned()
    }
}
