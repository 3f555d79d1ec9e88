//! Which requests are let in before anything of them is read.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::dev::ServiceRequest;
use domain::id::{KeyId, OrgId};
use tokio::sync::Semaphore;

use super::address::client_address;
use super::permits::KeyedPermits;
use super::{Caller, HeldPermits, KnownKey, Standing, Traffic};
use crate::limits::{CallerLimits, Tiers};
use crate::problem::{Limit, Problem};
use crate::{ApiState, bearer, router};

/// The paths that are always answered: those who watch the service ask there.
const EXEMPT: [&str; 2] = ["/healthz", "/readyz"];
/// Where agents ask; a request there makes further ones to the operations.
const AGENTS: &str = "/mcp";

/// Seconds after which it is worth asking again where too many requests are under way.
const RETRY_SECONDS: u64 = 1;

/// What is under way.
pub(super) struct Counters {
    addresses: Arc<KeyedPermits<IpAddr>>,
    anonymous: Arc<Semaphore>,
    calls: Tiered,
    agents: Tiered,
}

/// Permits of a key, its organization and all together.
struct Tiered {
    keys: Arc<KeyedPermits<KeyId>>,
    organizations: Arc<KeyedPermits<OrgId>>,
    total: Arc<Semaphore>,
}

/// A request that was let in.
pub(crate) struct Admitted {
    /// Who calls.
    pub(crate) caller: Caller,
    /// The key, where it was valid lately.
    pub(crate) known: Option<KnownKey>,
    /// Where the key stands, if the call is counted already.
    pub(crate) counted: Option<KeyCounted>,
    /// What the request uses until its answer is sent.
    pub(crate) permits: HeldPermits,
}

/// Where a key stands whose call is counted; none where nothing is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyCounted(pub(crate) Option<Standing>);

/// A request that was not let in.
pub(crate) struct Refusal {
    /// Why.
    pub(crate) problem: Problem,
    /// Whose it was, where that is known.
    pub(crate) known: Option<KnownKey>,
    /// Where the key stands.
    pub(crate) standing: Option<Standing>,
}

impl Counters {
    pub(super) fn new(limits: &CallerLimits) -> Self {
        Self {
            addresses: KeyedPermits::new(limits.anonymous_per_address),
            anonymous: Arc::new(Semaphore::new(limits.anonymous)),
            calls: Tiered::new(limits.calls),
            agents: Tiered::new(limits.agent_calls),
        }
    }
}

impl Tiered {
    fn new(limits: Tiers) -> Self {
        Self {
            keys: KeyedPermits::new(limits.key),
            organizations: KeyedPermits::new(limits.organization),
            total: Arc::new(Semaphore::new(limits.total)),
        }
    }

    fn acquire(&self, key: &KnownKey, permits: &mut HeldPermits) -> Result<(), &'static str> {
        permits.add(self.keys.try_acquire(&key.key).ok_or("the key")?);
        let organization = self.organizations.try_acquire(&key.org);
        permits.add(organization.ok_or("the organization")?);
        let total = Arc::clone(&self.total).try_acquire_owned();
        permits.add(total.map_err(|_| "this server")?);
        Ok(())
    }
}

impl Traffic {
    /// Lets a request in, or refuses it before anything of it is read; none for a request that is always answered.
    pub(crate) fn admit(
        &self,
        state: &ApiState,
        request: &ServiceRequest,
    ) -> Result<Option<Admitted>, Box<Refusal>> {
        let path = request.path();
        if EXEMPT.contains(&path) {
            return Ok(None);
        }
        let is_agent = is_below(path, AGENTS);
        let known = (is_agent || is_below(path, router::BASE))
            .then(|| bearer::key(request.headers()).ok())
            .flatten()
            .and_then(|key| self.0.known_keys.find(&key.hash()));
        let admitted = match known {
            Some(known) => self.admit_known(state, known, is_agent)?,
            None => {
                let peer = request.peer_addr().map(|peer| peer.ip());
                let trusted = &self.0.limits.trusted_proxies;
                self.admit_address(state, client_address(peer, request.headers(), trusted))?
            }
        };
        Ok(Some(admitted))
    }

    fn admit_known(
        &self,
        state: &ApiState,
        known: KnownKey,
        is_agent: bool,
    ) -> Result<Admitted, Box<Refusal>> {
        let mut counted = None;
        // The key of a moment ago, of which nothing need be looked up to refuse a call beyond its rate.
        if known.is_fresh(state.clock.now()) {
            match self.count(state, &known.key) {
                Ok(standing) => counted = Some(KeyCounted(standing)),
                Err(exceeded) => {
                    return Err(Box::new(Refusal {
                        standing: Some(exceeded.standing()),
                        problem: exceeded.into(),
                        known: Some(known),
                    }));
                }
            }
        }
        let counters = &self.0.admission;
        let mut permits = HeldPermits::default();
        let mut taken = counters.calls.acquire(&known, &mut permits);
        let mut limit = Limit::Calls;
        if is_agent && taken.is_ok() {
            taken = counters.agents.acquire(&known, &mut permits);
            limit = Limit::AgentCalls;
        }
        if let Err(who) = taken {
            let detail = format!("As many calls are under way as {who} may have at once.");
            return Err(Box::new(Refusal {
                problem: Problem::rate_limited(limit, detail, RETRY_SECONDS),
                standing: counted.and_then(|KeyCounted(standing)| standing),
                known: Some(known),
            }));
        }
        Ok(Admitted {
            caller: Caller::Organization(known.org.clone()),
            known: Some(known),
            counted,
            permits,
        })
    }

    fn admit_address(&self, state: &ApiState, address: IpAddr) -> Result<Admitted, Box<Refusal>> {
        let refused = |limit, detail: &'static str, seconds| {
            Box::new(Refusal {
                problem: Problem::rate_limited(limit, detail, seconds),
                known: None,
                standing: None,
            })
        };
        self.count_address(state, &address).map_err(|exceeded| {
            refused(
                Limit::AddressRate,
                "The client address made too many calls without a valid key.",
                exceeded.seconds(),
            )
        })?;
        let counters = &self.0.admission;
        let mut permits = HeldPermits::default();
        let of_address = counters.addresses.try_acquire(&address).ok_or_else(|| {
            refused(
                Limit::AddressCalls,
                "As many calls without a valid key are under way as a client address may have at once.",
                RETRY_SECONDS,
            )
        })?;
        permits.add(of_address);
        let total = Arc::clone(&counters.anonymous).try_acquire_owned();
        let total = total.map_err(|_| {
            refused(
                Limit::AddressCalls,
                "As many calls without a valid key are under way as this server takes at once.",
                RETRY_SECONDS,
            )
        })?;
        permits.add(total);
        Ok(Admitted {
            caller: Caller::Address(address),
            known: None,
            counted: None,
            permits,
        })
    }
}

/// Whether a path is that one or below it.
fn is_below(path: &str, base: &str) -> bool {
    path.strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
