//! Rate limits of attempts to enter a password or a code.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use domain::id::AccountId;
use domain::ports::Clock;
use httpkit::limits::RateLimit;
use httpkit::rate_limits::KeyedLimiter;

const fn limit(per_minute: u32, burst: u32) -> RateLimit {
    RateLimit {
        per_minute: at_least_one(per_minute),
        burst: at_least_one(burst),
    }
}

const fn at_least_one(number: u32) -> NonZeroU32 {
    match NonZeroU32::new(number) {
        Some(number) => number,
        None => NonZeroU32::MIN,
    }
}

/// Tries for one account: ten at once, then one a minute, wherever they come from.
const FOR_ACCOUNT: RateLimit = limit(1, 10);
/// Tries from one address: twenty at once, then ten a minute. An office shares an address.
const FROM_ADDRESS: RateLimit = limit(10, 20);

/// Limits attempts to enter passwords and codes, by account and by client address. It forgets an account or an address
/// when the limits no longer restrict it.
pub(crate) struct SignInThrottle {
    accounts: KeyedLimiter<String>,
    addresses: KeyedLimiter<IpAddr>,
}

impl SignInThrottle {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            accounts: KeyedLimiter::new(FOR_ACCOUNT, Arc::clone(&clock)),
            addresses: KeyedLimiter::new(FROM_ADDRESS, clock),
        }
    }

    /// Counts a try.
    ///
    /// # Errors
    /// How long to wait when there were too many.
    pub(crate) fn count(&self, account: &str, address: IpAddr) -> Result<(), Duration> {
        // The address first: what it may not try must not lock others out of the account.
        self.addresses
            .count(&address)
            .map_err(|exceeded| Duration::from_secs(exceeded.seconds()))?;
        let account: String = account.trim().to_lowercase().chars().take(254).collect();
        self.accounts
            .count(&account)
            .map_err(|exceeded| Duration::from_secs(exceeded.seconds()))?;
        Ok(())
    }

    /// Counts an attempt to enter a code of the second factor. Codes have a separate limit for each account, so that
    /// nobody without the password can keep the person from entering a code.
    ///
    /// # Errors
    /// How long to wait when there were too many.
    pub(crate) fn count_code(&self, account: &AccountId, address: IpAddr) -> Result<(), Duration> {
        self.count(&format!("code of {account}"), address)
    }
}
