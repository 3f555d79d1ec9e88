//! `assay plans`.

use cli::{Exit, ListArgs, PlansArgs, PlansCommand, table, write_data, write_note};
use domain::plan::Plan;
use domain::text::{grouped, size};
use serde_json::{Value, json};

use super::{administer, named, print_json};

/// Lists plans, and assigns a plan to an organization.
pub(crate) fn plans(args: &PlansArgs) -> Exit {
    let Some(command) = &args.command else {
        return list(&args.list);
    };
    match command {
        PlansCommand::List(args) => list(args),
        PlansCommand::Set {
            org,
            plan,
            database,
        } => administer(database, |administration, _| {
            let org = named::org(administration, org)?;
            administration.set_plan(org.as_str(), plan)?;
            write_note(&format!(
                "{org} is on the plan {plan}; restart every service whose configuration does not have this plan"
            ));
            Ok(Exit::Fine)
        }),
    }
}

fn list(args: &ListArgs) -> Exit {
    let flags = super::flags(&args.database);
    // The plans are in the configuration; no database is needed.
    crate::with_settings(&args.database.config, flags, |settings| {
        let plans = &settings.service.plans;
        if args.json {
            let plans: Vec<_> = plans.iter().map(as_json).collect();
            return print_json(&json!({ "plans": plans }));
        }
        write_data(&table(
            [
                "NAME",
                "SITES",
                "RUNS A MONTH",
                "STORED DATA",
                "RENDERED A RUN",
                "RENDERED A MONTH",
                "PAID",
            ],
            plans.iter().map(as_row),
        ))?;
        Ok(Exit::Fine)
    })
}

fn as_row(plan: &Plan) -> [String; 7] {
    let cap =
        |cap: Option<u64>, text: fn(u64) -> String| cap.map_or_else(|| "no cap".to_owned(), text);
    [
        plan.name.clone(),
        cap(plan.limits.sites, grouped),
        cap(plan.limits.monthly_runs, grouped),
        cap(plan.limits.storage_bytes, size),
        cap(plan.limits.rendered_pages_per_run, grouped),
        cap(plan.limits.monthly_rendered_pages, grouped),
        if plan.paid { "yes" } else { "no" }.to_owned(),
    ]
}

fn as_json(plan: &Plan) -> Value {
    json!({
        "name": plan.name,
        "sites": plan.limits.sites,
        "monthlyRuns": plan.limits.monthly_runs,
        "storageBytes": plan.limits.storage_bytes,
        "renderedPagesPerRun": plan.limits.rendered_pages_per_run,
        "monthlyRenderedPages": plan.limits.monthly_rendered_pages,
        "paid": plan.paid,
    })
}
