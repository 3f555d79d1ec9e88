//! Where a list of deliveries goes on.

use chrono::{DateTime, Utc};

use super::Delivery;
use crate::cursor::{signed, time_and_ulid, time_text, ulid_of, unsigned};
use crate::id::DeliveryId;

/// A place in a list of deliveries, which is sorted newest first. A delivery comes behind a cursor where
/// `DeliveryCursor::after(delivery) < cursor`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeliveryCursor {
    /// When the event of the last delivery happened, in whole milliseconds.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: DeliveryId,
}

impl DeliveryCursor {
    /// The place of a delivery.
    #[must_use]
    pub fn after(delivery: &Delivery) -> Self {
        Self {
            created_at: delivery.created_at,
            id: delivery.id.clone(),
        }
    }

    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(&self) -> String {
        let time = time_text(self.created_at);
        signed(format!("d{time}{}", ulid_of(self.id.as_str())))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let (created_at, ulid) = time_and_ulid(unsigned(text)?.strip_prefix('d')?)?;
        Some(Self {
            created_at,
            id: DeliveryId::parse(&format!("dlv_{ulid}"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cursors_come_back_and_other_texts_do_not(
            millis in -1_000_000_000_000_i64..9_000_000_000_000,
            text in any::<String>(),
        ) {
            let cursor = DeliveryCursor {
                created_at: DateTime::from_timestamp_millis(millis).unwrap(),
                id: DeliveryId::parse("dlv_01JD2Y3Z4A5B6C7D8E9F0GHJKM").unwrap(),
            };
            prop_assert_eq!(DeliveryCursor::decode(&cursor.encode()), Some(cursor));
            prop_assert_eq!(DeliveryCursor::decode(&text), None);
        }
    }
}
