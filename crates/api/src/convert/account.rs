use api_types::account as wire;
use api_types::report::Variant as WireVariant;
use domain::key::{ApiKey, Role};
use domain::plan::{Period, Plan, Usage};
use domain::report::Variant;
use domain::usecase::Caller;

use super::same_variants::{ToWire, same_variants};
use super::time;

same_variants! { Variant, WireVariant: Current, Legacy }
same_variants! { Role, wire::Role: Read, Member, Admin }

/// The account of the caller.
pub(crate) fn account(
    caller: &Caller,
    plan: &Plan,
    usage: Usage,
    period: Period,
    variant: Variant,
) -> wire::Account {
    wire::Account {
        organization: wire::Organization {
            organization_id: caller.organization.id.to_string(),
            name: caller.organization.name.clone(),
        },
        plan: wire::Plan {
            plan_id: plan.name.clone(),
            name: plan.name.clone(),
            paid: plan.paid,
            limits: wire::PlanLimits {
                sites: plan.limits.sites,
                monthly_runs: plan.limits.monthly_runs,
                storage_bytes: plan.limits.storage_bytes,
                rendered_pages_per_run: plan.limits.rendered_pages_per_run,
                monthly_rendered_pages: plan.limits.monthly_rendered_pages,
            },
            usage: wire::PlanUsage {
                sites: usage.sites,
                monthly_runs: usage.monthly_runs,
                storage_bytes: usage.storage_bytes,
                monthly_rendered_pages: usage.monthly_rendered_pages,
                period_start: time(period.start()),
                period_end: time(period.end()),
            },
        },
        key: key(&caller.key),
        variant: variant.to_wire(),
    }
}

fn key(key: &ApiKey) -> wire::Key {
    wire::Key {
        key_id: key.id.to_string(),
        name: key.name.clone(),
        prefix: key.prefix.clone(),
        role: key.role.to_wire(),
        created_at: time(key.created_at),
        last_used_at: key.last_used_at.map(time),
        expires_at: key.expires_at.map(time),
    }
}
