//! Who calls, and the people beside them.

use api_types::account::Account;
use api_types::member::MemberList;

use crate::call::Call;
use crate::{Client, Error, Reply};

impl Client {
    /// The organization, plan and key behind the calls. It shows whether the key works.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn account(&self) -> Result<Reply<Account>, Error> {
        self.call(Call::get(&["account"])).await
    }

    /// The people of the organization.
    ///
    /// # Errors
    /// When the server refuses, or is not reached.
    pub async fn members(&self) -> Result<Reply<MemberList>, Error> {
        self.call(Call::get(&["members"])).await
    }
}
