//! Checks name resolution.

use std::net::SocketAddr;

use audit_engine::egress::{NameServerTrouble, ask_name_server};

use super::Finding;

const CHECK: &str = "dns";

/// Sends one query to the name server, for a name that cannot exist: any response passes.
pub(super) fn examine(configured: Option<SocketAddr>) -> Finding {
    let whose = configured.map_or("the system's name server".to_owned(), |server| {
        format!("the name server {server}")
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let answer = match runtime {
        Ok(runtime) => runtime.block_on(ask_name_server(configured)),
        Err(error) => return trouble(format!("the query could not be sent: {error}")),
    };
    match answer {
        Ok(took) => Finding::fine(
            CHECK,
            format!("{whose} responded in {} ms", took.as_millis()),
        ),
        Err(NameServerTrouble::TimedOut) => trouble(format!("{whose} did not respond")),
        Err(NameServerTrouble::Failed) => trouble(format!("{whose} returned an error")),
        Err(NameServerTrouble::Unusable(why)) => {
            trouble(format!("{whose} cannot be queried: {why}"))
        }
    }
}

fn trouble(message: String) -> Finding {
    Finding::warning(
        CHECK,
        message,
        "audits of host names fail with `dns_failure`: check /etc/resolv.conf, or set another server in egress.dns_server",
    )
}
