//! `assay members`.

use cli::{Exit, MembersCommand, write_data, write_note};
use domain::org::Member;
use serde_json::{Value, json};

use super::links;
use super::{administer, print_json, print_value, time};
use crate::admin::table::table;

/// Adds, lists and removes members of an organization.
pub(crate) fn members(command: &MembersCommand) -> Exit {
    match command {
        MembersCommand::Add {
            org,
            name,
            email,
            role,
            list,
        } => administer(&list.database, |administration, _| {
            let id = administration.add_member(org, name, email, *role)?;
            if list.json {
                print_json(&json!({ "memberId": id.as_str() }))
            } else {
                print_value(id.as_str())
            }
        }),
        MembersCommand::List { org, list } => administer(&list.database, |administration, _| {
            let members = administration.members(org)?;
            let org = administration.existing_org(org)?;
            let with_factor = administration.stores.members_with_second_factor(&org)?;
            if list.json {
                let members = members.iter();
                let members: Vec<_> = members
                    .map(|member| as_json(member, with_factor.contains(&member.id)))
                    .collect();
                return print_json(&json!({ "members": members }));
            }
            let rows: Vec<_> = members
                .into_iter()
                .map(|member| {
                    let has_factor = with_factor.contains(&member.id);
                    [
                        member.id.to_string(),
                        member.role.to_string(),
                        if has_factor { "yes" } else { "no" }.to_owned(),
                        member.email,
                        member.name,
                    ]
                })
                .collect();
            write_data(&table(
                ["ID", "ROLE", "SECOND FACTOR", "E-MAIL", "NAME"],
                &rows,
            ))?;
            Ok(Exit::Fine)
        }),
        MembersCommand::SetupLink { org, list } => links::setup(org.as_deref(), list),
        MembersCommand::Invite { org, member, list } => links::invite(org, member, list),
        MembersCommand::ResetPassword { org, member, list } => {
            links::reset_password(org, member, list)
        }
        MembersCommand::ResetSecondFactor {
            org,
            member,
            database,
        } => administer(database, |administration, _| {
            administration.reset_second_factor(org, member)?;
            write_note(&format!("the second factor of {member} is removed"));
            Ok(Exit::Fine)
        }),
        MembersCommand::Remove {
            org,
            member,
            database,
        } => administer(database, |administration, _| {
            administration.remove_member(org, member)?;
            write_note(&format!("{member} is removed"));
            Ok(Exit::Fine)
        }),
    }
}

fn as_json(member: &Member, has_second_factor: bool) -> Value {
    json!({
        "memberId": member.id.as_str(),
        "name": member.name,
        "email": member.email,
        "role": member.role.as_str(),
        "secondFactor": has_second_factor,
        "createdAt": time(member.created_at),
    })
}
