//! `assay orgs`.

use anyhow::Result;
use cli::{
    Exit, ListArgs, OrgsArgs, OrgsCommand, SetRetentionArgs, minute_of, table, write_data,
    write_note,
};
use domain::org::Organization;
use domain::retention::{Keep, Retention};
use domain::usecase::{Administration, RetentionSettings};
use serde_json::{Value, json};

use super::{administer, administer_new, named, print_json, print_value, time};

/// Creates and lists organizations.
pub(crate) fn orgs(args: &OrgsArgs) -> Exit {
    let Some(command) = &args.command else {
        return list(&args.list);
    };
    match command {
        OrgsCommand::Create(args) => administer_new(&args.list.database, |administration, _| {
            let id = administration.create_org(&args.name, &args.plan)?;
            write_note(&format!(
                "create a key for it: assay keys create --org {id} --name NAME --role admin"
            ));
            if args.list.json {
                print_json(&json!({ "organizationId": id.as_str() }))
            } else {
                print_value(id.as_str())
            }
        }),
        OrgsCommand::List(args) => list(args),
        OrgsCommand::SetRetention(args) => {
            administer(&args.list.database, |administration, settings| {
                set_retention(administration, settings.service.retention, args)
            })
        }
    }
}

fn list(args: &ListArgs) -> Exit {
    administer(&args.database, |administration, _| {
        let orgs = administration.stores.orgs()?;
        if args.json {
            let orgs: Vec<_> = orgs.iter().map(as_json).collect();
            return print_json(&json!({ "organizations": orgs }));
        }
        if orgs.is_empty() {
            write_data("No organizations.\n")?;
            return Ok(Exit::Fine);
        }
        let rows = orgs.into_iter().map(|org| {
            let created = minute_of(Some(org.created_at));
            [org.name, org.plan, created, org.id.to_string()]
        });
        write_data(&table(
            ["NAME", "PLAN", "CREATED (UTC)", "ORGANIZATION"],
            rows,
        ))?;
        Ok(Exit::Fine)
    })
}

/// Changes the given retention settings of an organization, keeps the others, and prints the effective periods.
fn set_retention(
    administration: &Administration<'_>,
    usual: Retention,
    args: &SetRetentionArgs,
) -> Result<Exit> {
    let id = named::org(administration, &args.org)?;
    let mut choice = administration.stores.retention(&id)?;
    if let Some(days) = args.reports_days {
        choice.reports = days.choice();
    }
    if let Some(days) = args.audit_log_days {
        choice.audit_log = days.choice();
    }
    administration.set_retention(id.as_str(), choice)?;
    let periods = RetentionSettings {
        stores: administration.stores,
        plans: administration.plans,
        installation: usual,
    };
    let Some(org) = administration.stores.org(&id)? else {
        return Ok(Exit::Fine);
    };
    let held = periods.of(&org)?.effective();
    if args.list.json {
        return print_json(&json!({
            "organizationId": id.as_str(),
            "reportsDays": held.reports.as_days(),
            "auditLogDays": held.audit_log.as_days(),
        }));
    }
    write_note(&format!(
        "{id}: reports are kept {}, the audit log is kept {}",
        kept(held.reports),
        kept(held.audit_log)
    ));
    Ok(Exit::Fine)
}

fn kept(keep: Keep) -> String {
    match keep {
        Keep::Forever => keep.to_string(),
        Keep::Days(_) => format!("for {keep}"),
    }
}

fn as_json(org: &Organization) -> Value {
    json!({
        "organizationId": org.id.as_str(),
        "name": org.name,
        "plan": org.plan,
        "createdAt": time(org.created_at),
    })
}
