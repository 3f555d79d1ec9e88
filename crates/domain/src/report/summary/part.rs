//! The part of a site in which an issue is.

use std::collections::BTreeMap;

use crate::report::Issue;

/// The share of the places that must be in one folder, in percent.
const MOST: usize = 70;

/// The folder of the first level with most of the places at hand: `/shop/`. None where no folder has
/// nearly all of them, or the places are few.
pub(super) fn most_below(issue: &Issue) -> Option<String> {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    let mut places = 0_usize;
    let occurrences = issue.causes.iter().flat_map(|cause| &cause.occurrences);
    for occurrence in occurrences {
        places += 1;
        if let Some(folder) = first_folder(&occurrence.url) {
            *folders.entry(folder).or_default() += 1;
        }
    }
    let (folder, count) = folders
        .into_iter()
        .max_by_key(|&(folder, count)| (count, folder))?;
    (places >= 3 && count * 100 >= places * MOST).then(|| folder.to_owned())
}

/// `/shop/` of `https://example.com/shop/cart?x`; none for pages at the top.
fn first_folder(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let path = rest.get(rest.find('/')?..)?;
    let path = path.split(['?', '#']).next()?;
    let inner = path.get(1..)?;
    path.get(..inner.find('/')? + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_of_a_path_is_found() {
        assert_eq!(
            first_folder("https://e.com/shop/cart?a=/b/"),
            Some("/shop/")
        );
        assert_eq!(first_folder("https://e.com/shop/a/b"), Some("/shop/"));
        assert_eq!(first_folder("https://e.com/shop"), None);
        assert_eq!(first_folder("https://e.com/?a/b"), None);
        assert_eq!(first_folder("https://e.com"), None);
        assert_eq!(first_folder("no URL"), None);
    }
}
