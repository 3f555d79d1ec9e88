//! `assay keys`.

use chrono::{DateTime, Utc};
use cli::{
    CreateKeyArgs, Exit, KeysArgs, KeysCommand, ListOfOrgArgs, minute_of, print_error, table,
    write_data, write_note,
};
use domain::key::ApiKey;
use domain::ports::Clock;
use serde_json::{Value, json};

use super::{administer, expiry, named, print_json, print_value, time};
use crate::sources::SystemClock;

/// Creates, lists and revokes keys.
pub(crate) fn keys(args: &KeysArgs) -> Exit {
    let Some(command) = &args.command else {
        return list(&args.list);
    };
    match command {
        KeysCommand::Create(args) => create(args),
        KeysCommand::List(args) => list(args),
        KeysCommand::Revoke { key, .. } if key.starts_with("sk_") => {
            print_error(
                None,
                "this is an API key, not its id: `assay keys --org ORG` shows the ids",
            );
            Exit::Usage
        }
        KeysCommand::Revoke { key, database } => administer(database, |administration, _| {
            let key = named::key(administration, key)?;
            administration.revoke_key(&key)?;
            write_note(&format!(
                "{key} is revoked: from now on requests with it fail"
            ));
            Ok(Exit::Fine)
        }),
    }
}

fn list(args: &ListOfOrgArgs) -> Exit {
    administer(&args.list.database, |administration, _| {
        let org = named::org_or_only(administration, args.org.as_deref())?;
        let keys = administration.stores.keys(&org)?;
        if args.list.json {
            let keys: Vec<_> = keys.iter().map(as_json).collect();
            return print_json(&json!({ "keys": keys }));
        }
        if keys.is_empty() {
            write_data("No keys.\n")?;
            return Ok(Exit::Fine);
        }
        let now = SystemClock.now();
        let head = [
            "NAME",
            "PREFIX",
            "ROLE",
            "STATE",
            "LAST USED (UTC)",
            "EXPIRES (UTC)",
            "KEY",
        ];
        write_data(&table(head, keys.iter().map(|key| as_row(key, now))))?;
        Ok(Exit::Fine)
    })
}

fn create(args: &CreateKeyArgs) -> Exit {
    let expires = args.expires.as_deref();
    let expires = match expires
        .map(|text| expiry::parse(text, SystemClock.now()))
        .transpose()
    {
        Ok(expires) => expires,
        Err(message) => {
            print_error(None, &format!("--expires: {message}"));
            return Exit::Usage;
        }
    };
    administer(&args.list.database, |administration, _| {
        let org = named::org(administration, &args.org)?;
        let created = administration.create_key(org.as_str(), &args.name, args.role, expires)?;
        if args.list.json {
            return print_json(&json!({
                "keyId": created.id.as_str(),
                "key": created.secret.expose(),
            }));
        }
        write_note(&format!(
            "{}: the key is shown only once; Assay stores its hash",
            created.id
        ));
        print_value(created.secret.expose())
    })
}

fn state(key: &ApiKey, now: DateTime<Utc>) -> &'static str {
    if key.revoked_at.is_some() {
        "revoked"
    } else if key.works_at(now) {
        "active"
    } else {
        "expired"
    }
}

fn as_row(key: &ApiKey, now: DateTime<Utc>) -> [String; 7] {
    [
        key.name.clone(),
        key.prefix.clone(),
        key.role.to_string(),
        state(key, now).to_owned(),
        minute_of(key.last_used_at),
        minute_of(key.expires_at),
        key.id.to_string(),
    ]
}

fn as_json(key: &ApiKey) -> Value {
    json!({
        "keyId": key.id.as_str(),
        "name": key.name,
        "prefix": key.prefix,
        "role": key.role.as_str(),
        "createdAt": time(key.created_at),
        "lastUsedAt": key.last_used_at.map(time),
        "expiresAt": key.expires_at.map(time),
        "revokedAt": key.revoked_at.map(time),
    })
}
