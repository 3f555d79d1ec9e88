//! Answers found once each, by the places of what they are about.

/// An answer for each place that was asked for. To be used where places are small numbers without large gaps,
/// such as those in a table.
#[derive(Debug)]
pub(crate) struct ByPlace<T>(Vec<Option<T>>);

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ByPlace<T> {
    /// The answer for the place, if there is one yet.
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        self.0.get(place)?.as_ref()
    }

    /// The answer for the place, found by `find` the first time.
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

    /// Every answer there is, in the order of the places.
    pub(crate) fn into_answers(self) -> impl Iterator<Item = T> {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_its_own_answer_found_once() {
        let mut answers = ByPlace::default();
        assert_eq!(*answers.get_or_find(2, || 'c'), 'c');
        assert_eq!(*answers.get_or_find(0, || 'a'), 'a');
        assert_eq!(*answers.get_or_find(2, || 'x'), 'c');
        assert_eq!(answers.get(1), None);
        assert_eq!(answers.get(2), Some(&'c'));
        assert_eq!(answers.get(3), None);
        assert_eq!(answers.into_answers().collect::<String>(), "ac");
    }
}
