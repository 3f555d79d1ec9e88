//! `assay plans`.

use cli::{Exit, PlansCommand, write_data, write_note};
use domain::plan::Plan;
use serde_json::{Value, json};

use super::{administer, print_json};
use crate::admin::table::table;

/// Lists plans, and assigns a plan to an organization.
pub(crate) fn plans(command: &PlansCommand) -> Exit {
    match command {
        PlansCommand::List(args) => {
            let flags = super::flags(&args.database);
            // The plans are in the configuration; no database is needed.
            crate::with_settings(&args.database.config, flags, |settings| {
                let plans = &settings.service.plans;
                if args.json {
                    let plans: Vec<_> = plans.iter().map(as_json).collect();
                    return print_json(&json!({ "plans": plans }));
                }
                let rows: Vec<_> = plans.iter().map(as_row).collect();
                write_data(&table(
                    ["NAME", "SITES", "RUNS A MONTH", "STORED BYTES", "PAID"],
                    &rows,
                ))?;
                Ok(Exit::Fine)
            })
        }
        PlansCommand::Set {
            org,
            plan,
            database,
        } => administer(database, |administration, _| {
            administration.set_plan(org, plan)?;
            write_note(&format!(
                "{org} is on the plan {plan}; restart every service whose configuration does not have this plan"
            ));
            Ok(Exit::Fine)
        }),
    }
}

fn as_row(plan: &Plan) -> [String; 5] {
    let cap = |cap: Option<u64>| cap.map_or_else(|| "no cap".to_owned(), |cap| cap.to_string());
    [
        plan.name.clone(),
        cap(plan.limits.sites),
        cap(plan.limits.monthly_runs),
        cap(plan.limits.storage_bytes),
        if plan.paid { "yes" } else { "no" }.to_owned(),
    ]
}

fn as_json(plan: &Plan) -> Value {
    json!({
        "name": plan.name,
        "sites": plan.limits.sites,
        "monthlyRuns": plan.limits.monthly_runs,
        "storageBytes": plan.limits.storage_bytes,
        "paid": plan.paid,
    })
}
