//! `assay members`.

use cli::{Exit, ListOfOrgArgs, MembersArgs, MembersCommand, table, write_data, write_note};
use domain::org::Member;
use serde_json::{Value, json};

use super::links;
use super::{administer, named, print_json, print_value, time};

/// Adds, lists and removes members of an organization.
pub(crate) fn members(args: &MembersArgs) -> Exit {
    let Some(command) = &args.command else {
        return list_members(&args.list);
    };
    match command {
        MembersCommand::Add {
            org,
            name,
            email,
            role,
            list,
        } => administer(&list.database, |administration, _| {
            let org = named::org(administration, org)?;
            let id = administration.add_member(org.as_str(), name, email, *role)?;
            if list.json {
                print_json(&json!({ "memberId": id.as_str() }))
            } else {
                print_value(id.as_str())
            }
        }),
        MembersCommand::List(args) => list_members(args),
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
            let org = named::org(administration, org)?;
            let member = named::member(administration, &org, member)?;
            administration.reset_second_factor(org.as_str(), member.as_str())?;
            write_note(&format!("the second factor of {member} is removed"));
            Ok(Exit::Fine)
        }),
        MembersCommand::Remove {
            org,
            member,
            database,
        } => administer(database, |administration, _| {
            let org = named::org(administration, org)?;
            let member = named::member(administration, &org, member)?;
            administration.remove_member(org.as_str(), member.as_str())?;
            write_note(&format!("{member} is removed"));
            Ok(Exit::Fine)
        }),
    }
}

fn list_members(args: &ListOfOrgArgs) -> Exit {
    administer(&args.list.database, |administration, _| {
        let org = named::org_or_only(administration, args.org.as_deref())?;
        let members = administration.stores.members(&org)?;
        let with_factor = administration.stores.members_with_second_factor(&org)?;
        if args.list.json {
            let members = members.iter();
            let members: Vec<_> = members
                .map(|member| as_json(member, with_factor.contains(&member.id)))
                .collect();
            return print_json(&json!({ "members": members }));
        }
        if members.is_empty() {
            write_data("No members.\n")?;
            return Ok(Exit::Fine);
        }
        let rows = members.into_iter().map(|member| {
            let has_factor = with_factor.contains(&member.id);
            [
                member.role.to_string(),
                if has_factor { "yes" } else { "no" }.to_owned(),
                member.email,
                member.name,
                member.id.to_string(),
            ]
        });
        write_data(&table(
            ["ROLE", "SECOND FACTOR", "E-MAIL", "NAME", "MEMBER"],
            rows,
        ))?;
        Ok(Exit::Fine)
    })
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
