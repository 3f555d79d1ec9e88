//! Whether names can be resolved.

use std::net::SocketAddr;

use audit_engine::egress::{NameServerTrouble, ask_name_server};

use super::Finding;

const CHECK: &str = "dns";

/// Asks the name server one question, for a name that cannot exist: any answer will do.
pub(super) fn examine(configured: Option<SocketAddr>) -> Finding {
    let whose = configured.map_or("the system's name server".to_owned(), |server| {
        format!("the name server {server}")
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let answer = match runtime {
        Ok(runtime) => runtime.block_on(ask_name_server(configured)),
        Err(error) => return trouble(format!("it could not be asked: {error}")),
    };
    match answer {
        Ok(took) => Finding::fine(
            CHECK,
            format!("{whose} answered in {} ms", took.as_millis()),
        ),
        Err(NameServerTrouble::TimedOut) => trouble(format!("{whose} did not answer")),
        Err(NameServerTrouble::Failed) => trouble(format!("{whose} could not tell")),
        Err(NameServerTrouble::Unusable(why)) => trouble(format!("{whose} cannot be asked: {why}")),
    }
}

fn trouble(message: String) -> Finding {
    Finding::warning(
        CHECK,
        message,
        "audits of sites with a name end as `dns_failure`: look at /etc/resolv.conf, or name another server in egress.dns_server",
    )
}
