//! `assay orgs`.

use cli::{Exit, OrgsCommand, write_note};
use domain::org::Organization;
use serde_json::{Value, json};

use super::{administer, administer_new, print_json, print_value, time};
use crate::admin::table::table;

/// Creates and lists organizations.
pub(crate) fn orgs(command: &OrgsCommand) -> Exit {
    match command {
        OrgsCommand::Create(args) => administer_new(&args.list.database, |administration, _| {
            let id = administration.create_org(&args.name, &args.plan)?;
            write_note(&format!(
                "a key for it: assay keys create --org {id} --name NAME --role admin"
            ));
            if args.list.json {
                print_json(&json!({ "organizationId": id.as_str() }))
            } else {
                print_value(id.as_str())
            }
        }),
        OrgsCommand::List(args) => administer(&args.database, |administration, _| {
            let orgs = administration.stores.orgs()?;
            if args.json {
                let orgs: Vec<_> = orgs.iter().map(as_json).collect();
                return print_json(&json!({ "organizations": orgs }));
            }
            let rows: Vec<_> = orgs
                .into_iter()
                .map(|org| [org.id.to_string(), org.plan, time(org.created_at), org.name])
                .collect();
            cli::write_data(&table(["ID", "PLAN", "CREATED", "NAME"], &rows))?;
            Ok(Exit::Fine)
        }),
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
