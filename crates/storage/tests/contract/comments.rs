//! Comments on action items.

use domain::action::{ActionComment, ActionItem, Author, CommentBody, CommentCursor, NewComment};
use domain::id::{ActionId, CommentId, KeyId, MemberId};
use domain::idempotency::Idempotent;
use domain::ports::{ChangeActionError, Stores};

use crate::contract::world::{Fixture, at, at_once};

pub(crate) fn new_comment(world: &Fixture<'_>, body: &str, second: i64) -> NewComment {
    NewComment {
        id: CommentId::make(&world.ids),
        body: CommentBody::parse(body).unwrap(),
        author: Author::Key {
            id: KeyId::make(&world.ids),
            name: "ci".to_owned(),
        },
        created_at: at(second),
    }
}

/// Adds a comment to an existing item.
fn said(world: &Fixture<'_>, item: &ActionItem, comment: &NewComment) -> ActionComment {
    let added = world
        .stores
        .add_comment(&item.org_id, &item.id, comment, None);
    match added.unwrap() {
        Idempotent::Executed(comment) => comment,
        Idempotent::Replayed(answer) => panic!("{answer:?}"),
    }
}

pub(crate) fn comments_come_oldest_first_page_by_page(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let ada = Author::Member {
        id: MemberId::make(&world.ids),
        name: "ada\0".to_owned(),
    };
    let mut expected = Vec::new();
    for (body, second) in [
        ("third\n\t🦀", 7),
        ("first", 5),
        ("second", 6),
        ("fourth", 7),
    ] {
        let comment = NewComment {
            author: if second == 6 {
                ada.clone()
            } else {
                Author::System
            },
            ..new_comment(&world, body, second)
        };
        expected.push(said(&world, &item, &comment));
    }
    expected.sort_by_key(CommentCursor::after);
    for limit in [1, 3, 4, 5] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = stores.comments(&org, &item.id, after.as_ref(), limit);
            let page = page.unwrap().unwrap();
            found.extend(page.comments);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let readable = format!("{found:?}").replace("\\0", "\u{fffd}");
        let as_said = format!("{expected:?}").replace("\\0", "\u{fffd}");
        assert_eq!(readable, as_said, "{limit} a page");
    }
    // Comments do not change the update time of an item.
    let commented = world.items(&org).remove(0);
    assert_eq!(commented.comment_count, 4);
    assert_eq!(commented.updated_at, item.updated_at);
}

pub(crate) fn comments_at_once_are_all_counted(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    at_once(8, |number| {
        said(&world, &item, &new_comment(&world, &number.to_string(), 5))
    });
    assert_eq!(world.items(&org)[0].comment_count, 8);
    let page = stores.comments(&org, &item.id, None, 100).unwrap().unwrap();
    assert_eq!((page.comments.len(), page.next), (8, None));
}

pub(crate) fn an_unknown_item_has_no_comments(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let unknown = ActionId::make(&world.ids);
    assert_eq!(stores.comments(&org, &unknown, None, 10), Ok(None));
    let refused = stores.add_comment(&org, &unknown, &new_comment(&world, "a", 1), None);
    assert_eq!(refused, Err(ChangeActionError::NotFound));
    let item = world.item(&org, "Something");
    let none = stores.comments(&org, &item.id, None, 10).unwrap().unwrap();
    assert_eq!(none.comments, []);
}

pub(crate) fn a_comment_is_logged_without_its_text(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let comment = said(&world, &item, &new_comment(&world, "confidential", 5));
    let by_service = NewComment {
        author: Author::System,
        ..new_comment(&world, "of the service", 6)
    };
    said(&world, &item, &by_service);
    let log = stores.audit_log(&org).unwrap();
    let lines: Vec<_> = log
        .iter()
        .filter(|line| line.event == "comment.added")
        .collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(lines[0].subject, item.id.to_string());
    assert_eq!(lines[0].detail, comment.id.to_string());
    assert_eq!(Some(lines[0].actor.as_str()), comment.author.id());
    assert_eq!(lines[0].at, at(5));
}
