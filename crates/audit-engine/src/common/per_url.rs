//! What is found out of URLs, each looked at once.

use crate::site::UrlId;

/// An answer for each URL that was asked for, by the URL's place in the site's table.
#[derive(Debug)]
pub(crate) struct PerUrl<T>(Vec<Option<T>>);

impl<T> Default for PerUrl<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> PerUrl<T> {
    /// The answer for the URL, if there is one yet.
    pub(crate) fn get(&self, id: UrlId) -> Option<&T> {
        self.0.get(id.index())?.as_ref()
    }

    /// The answer for the URL, found by `find` the first time.
    #[expect(
        clippy::indexing_slicing,
        reason = "the vector is made long enough before"
    )]
    pub(crate) fn get_or_find(&mut self, id: UrlId, find: impl FnOnce() -> T) -> &mut T {
        let place = id.index();
        if self.0.len() <= place {
            self.0.resize_with(place + 1, || None);
        }
        self.0[place].get_or_insert_with(find)
    }

    /// Every answer there is, in the order of the URLs.
    pub(crate) fn into_answers(self) -> impl Iterator<Item = T> {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::site::UrlTable;

    #[test]
    fn each_url_has_its_own_answer_found_once() {
        let mut urls = UrlTable::default();
        let ids: Vec<UrlId> = ["a", "b", "c"]
            .iter()
            .map(|path| {
                urls.intern(
                    &Url::parse(&format!("https://x.test/{path}")).unwrap(),
                    true,
                )
            })
            .collect();
        let mut answers = PerUrl::default();
        assert_eq!(*answers.get_or_find(ids[2], || 2), 2);
        assert_eq!(*answers.get_or_find(ids[0], || 0), 0);
        assert_eq!(*answers.get_or_find(ids[2], || 5), 2);
        assert_eq!(answers.get(ids[1]), None);
        assert_eq!(answers.get(ids[2]), Some(&2));
        assert_eq!(answers.into_answers().collect::<Vec<_>>(), [0, 2]);
    }
}
