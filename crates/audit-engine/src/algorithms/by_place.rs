//! A cache of values by small indices.

/// A cached value for each index. Suitable for small indices without large gaps, such as those of a table.
#[derive(Debug)]
pub(crate) struct ByPlace<T>(Vec<Option<T>>);

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ByPlace<T> {
    /// The value for the index, if it was computed.
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        self.0.get(place)?.as_ref()
    }

    /// The value for the index, computed by `find` on first use.
    #[expect(
        clippy::indexing_slicing,
        reason = "the vector is made long enough before"
    )]
    pub(crate) fn get_or_find(&mut self, place: usize, find: impl FnOnce() -> T) -> &mut T {
        if self.0.len() <= place {
            self.0.resize_with(place + 1, || None);
        }
        self.0[place].get_or_insert_with(find)
    }

    /// All computed values, in the order of the indices.
    pub(crate) fn into_values(self) -> impl Iterator<Item = T> {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_computed_once_for_its_index() {
        let mut values = ByPlace::default();
        assert_eq!(*values.get_or_find(2, || 'c'), 'c');
        assert_eq!(*values.get_or_find(0, || 'a'), 'a');
        assert_eq!(*values.get_or_find(2, || 'x'), 'c');
        assert_eq!(values.get(1), None);
        assert_eq!(values.get(2), Some(&'c'));
        assert_eq!(values.get(3), None);
        assert_eq!(values.into_values().collect::<String>(), "ac");
    }
}
