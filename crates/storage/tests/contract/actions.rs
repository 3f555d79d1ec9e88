//! Action items that people create and change.

use std::collections::HashSet;

use domain::action::{
    ActionCursor, ActionFilter, ActionItem, ActionPatch, ActionStatus, DOSSIER_CAUSES,
    DOSSIER_OCCURRENCES, Description, DueDate, FieldPatch, ObservationMode, Priority, Title,
};
use domain::audit_log::Actor;
use domain::id::{ActionId, MemberId, OrgId, SiteId};
use domain::ports::{ChangeActionError, ListActionsError, ReportDetail, StoreError, Stores};
use domain::report::{CrawlMode, INLINE_OCCURRENCES, Variant};
use domain::run::{Device, Mode};
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once};

const BY: Actor = Actor::CommandLine;

fn member(world: &Fixture<'_>, org: &OrgId, name: &str) -> MemberId {
    let member = sample::new_member(&world.ids, name);
    assert!(world.stores.add_member(org, &member, &BY).unwrap());
    member.id
}

fn stored(stores: &dyn Stores, item: &ActionItem) -> ActionItem {
    let found = stores.action(&item.org_id, &item.id, Variant::Current);
    found.unwrap().unwrap()
}

fn status(status: ActionStatus) -> ActionPatch {
    ActionPatch {
        status: Some(status),
        ..ActionPatch::default()
    }
}

fn assign(member: &MemberId) -> ActionPatch {
    ActionPatch {
        assignee: FieldPatch::Set(member.clone()),
        ..ActionPatch::default()
    }
}

pub(crate) fn an_item_of_a_person_comes_back(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = world.start(&org, "https://example.com/").site_id;
    let whole = ActionItem {
        description: Description::parse("Zwei\r\n\tZeilen 🦀 ").unwrap(),
        status: ActionStatus::Done,
        priority: Priority::Critical,
        assignee: Some(member(&world, &org, "ada")),
        due_date: Some(DueDate::parse("2026-12-24").unwrap()),
        site_id: Some(site),
        resolved_at: Some(at(0)),
        ..world.new_item(&org, "Alles “gut” machen")
    };
    assert_eq!(stores.create_action(&org, &whole, &BY), Ok(()));
    let bare = world.item(&org, "Something");
    for item in [&whole, &bare] {
        for variant in [Variant::Current, Variant::Legacy] {
            let found = stores.action(&org, &item.id, variant).unwrap();
            assert_eq!(found.as_ref(), Some(item));
        }
    }
    assert_eq!(world.items(&org), [whole.clone(), bare.clone()]);
    let logged = [&whole, &bare].map(|item| (item.id.to_string(), item.priority.to_string()));
    assert_eq!(world.logged(&org, "action.created"), logged);
    let unknown = ActionId::make(&world.ids);
    assert_eq!(stores.action(&org, &unknown, Variant::Current), Ok(None));
}

pub(crate) fn an_item_is_made_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let again = ActionItem {
        title: Title::parse("Something else").unwrap(),
        ..item.clone()
    };
    let failed = stores.create_action(&org, &again, &BY);
    assert!(matches!(
        failed,
        Err(ChangeActionError::Store(StoreError::Failed(_)))
    ));
    assert_eq!(world.items(&org), [item]);
    assert_eq!(world.logged(&org, "action.created").len(), 1);
}

pub(crate) fn a_made_item_needs_its_site_and_its_assignee(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let nobody = ActionItem {
        assignee: Some(MemberId::make(&world.ids)),
        ..world.new_item(&org, "Something")
    };
    let nowhere = ActionItem {
        site_id: Some(SiteId::make(&world.ids)),
        ..nobody.clone()
    };
    let refused = stores.create_action(&org, &nowhere, &BY);
    assert_eq!(refused, Err(ChangeActionError::SiteNotFound));
    let refused = stores.create_action(&org, &nobody, &BY);
    assert_eq!(refused, Err(ChangeActionError::NoMember));
    assert_eq!(world.items(&org), []);
    assert_eq!(world.logged(&org, "action.created"), []);
}

pub(crate) fn a_change_is_made_whole_and_logged_without_its_texts(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = member(&world, &org, "ada");
    let item = world.item(&org, "Something");
    let patch = ActionPatch {
        status: Some(ActionStatus::Done),
        priority: Some(Priority::Low),
        assignee: FieldPatch::Set(ada),
        due_date: FieldPatch::Set(DueDate::parse("2026-12-24").unwrap()),
        title: Some(Title::parse("A secret title").unwrap()),
        description: Some(Description::parse("A secret text").unwrap()),
    };
    let mut expected = item.clone();
    patch.apply(&mut expected, at(5));
    assert_eq!(expected.resolved_at, Some(at(5)));
    let changed = stores.patch_action(&org, &item.id, &patch, at(5), &BY);
    assert_eq!(changed, Ok(expected.clone()));
    assert_eq!(stored(stores, &item), expected);

    let back = ActionPatch {
        assignee: FieldPatch::Clear,
        due_date: FieldPatch::Clear,
        ..status(ActionStatus::InProgress)
    };
    back.apply(&mut expected, at(6));
    let changed = stores.patch_action(&org, &item.id, &back, at(6), &BY);
    assert_eq!(changed, Ok(expected.clone()));
    assert_eq!(stored(stores, &item), expected);

    let id = item.id.to_string();
    let all = "status, priority, assigneeId, dueDate, title, description";
    assert_eq!(
        world.logged(&org, "action.updated"),
        [
            (id.clone(), all.to_owned()),
            (id, "status, assigneeId, dueDate".to_owned())
        ]
    );
    let log = format!("{:?}", stores.audit_log(&org).unwrap());
    assert!(!log.contains("secret"), "{log}");
}

pub(crate) fn a_change_that_changes_nothing_is_not_logged(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let same = ActionPatch {
        title: Some(item.title.clone()),
        assignee: FieldPatch::Clear,
        ..status(ActionStatus::Open)
    };
    let changed = stores.patch_action(&org, &item.id, &same, at(5), &BY);
    assert_eq!(changed, Ok(item.clone()));
    assert_eq!(stored(stores, &item), item);
    assert_eq!(world.logged(&org, "action.updated"), []);
}

pub(crate) fn a_change_needs_its_item_and_then_its_member(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let patch = ActionPatch {
        status: Some(ActionStatus::Done),
        ..assign(&MemberId::make(&world.ids))
    };
    let unknown = ActionId::make(&world.ids);
    let refused = stores.patch_action(&org, &unknown, &patch, at(5), &BY);
    assert_eq!(refused, Err(ChangeActionError::NotFound));
    let refused = stores.patch_action(&org, &item.id, &patch, at(5), &BY);
    assert_eq!(refused, Err(ChangeActionError::NoMember));
    assert_eq!(stored(stores, &item), item);
    assert_eq!(world.logged(&org, "action.updated"), []);
}

pub(crate) fn of_changes_at_once_none_is_lost(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let patches = [
        status(ActionStatus::InProgress),
        ActionPatch {
            priority: Some(Priority::High),
            ..ActionPatch::default()
        },
        ActionPatch {
            due_date: FieldPatch::Set(DueDate::parse("2026-12-24").unwrap()),
            ..ActionPatch::default()
        },
        ActionPatch {
            title: Some(Title::parse("Something else").unwrap()),
            ..ActionPatch::default()
        },
    ];
    for changed in at_once(patches.len(), |number| {
        stores.patch_action(&org, &item.id, &patches[number], at(5), &BY)
    }) {
        changed.unwrap();
    }
    let mut expected = item.clone();
    for patch in &patches {
        patch.apply(&mut expected, at(5));
    }
    assert_eq!(stored(stores, &item), expected);
    assert_eq!(world.logged(&org, "action.updated").len(), 4);
}

pub(crate) fn an_item_keeps_no_assignee_who_is_gone(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| member(&world, &org, name));
    let [of_ada, of_bob] = ["One", "Other"].map(|title| world.item(&org, title));
    for (item, member) in [(&of_ada, &ada), (&of_bob, &bob)] {
        let assigned = stores.patch_action(&org, &item.id, &assign(member), at(5), &BY);
        assert_eq!(assigned.unwrap().assignee.as_ref(), Some(member));
    }
    assert!(stores.remove_member(&org, &ada, at(6), &BY).unwrap());
    let left = stored(stores, &of_ada);
    assert_eq!((left.assignee, left.updated_at), (None, at(5)));
    assert_eq!(stored(stores, &of_bob).assignee, Some(bob));
    let refused = stores.patch_action(&org, &of_bob.id, &assign(&ada), at(7), &BY);
    assert_eq!(refused, Err(ChangeActionError::NoMember));
}

pub(crate) fn of_assigning_and_removing_a_member_at_once_neither_fails(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for round in 0..8 {
        let leaving = member(&world, &org, &format!("m{round}"));
        let items: Vec<_> = (0..3).map(|_| world.item(&org, "Something")).collect();
        at_once(4, |number| match items.get(number) {
            None => assert!(stores.remove_member(&org, &leaving, at(6), &BY).unwrap()),
            Some(item) => {
                match stores.patch_action(&org, &item.id, &assign(&leaving), at(5), &BY) {
                    Ok(_) | Err(ChangeActionError::NoMember) => {}
                    other => panic!("{other:?}"),
                }
            }
        });
        assert!(world.items(&org).iter().all(|item| item.assignee.is_none()));
    }
}

/// Items of each priority with its creation time in seconds, stored in another order than they are listed.
fn listed(world: &Fixture<'_>, org: &OrgId) -> Vec<ActionItem> {
    let mut items: Vec<_> = [
        (Priority::Low, 9),
        (Priority::Critical, 1),
        (Priority::High, 4),
        (Priority::Critical, 2),
        (Priority::High, 4),
        (Priority::Medium, 0),
        (Priority::High, 4),
    ]
    .map(|(priority, second)| ActionItem {
        priority,
        created_at: at(second),
        ..world.new_item(org, "Something")
    })
    .into();
    for item in &items {
        assert_eq!(world.stores.create_action(org, item, &BY), Ok(()));
    }
    items.sort_by_key(ActionCursor::after);
    items
}

pub(crate) fn items_come_by_priority_newest_first_and_id_page_by_page(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let expected = listed(&world, &org);
    let order: Vec<_> = (expected.iter())
        .map(|item| (item.priority.rank(), item.created_at))
        .collect();
    let as_told = [(0, 2), (0, 1), (1, 4), (1, 4), (1, 4), (2, 0), (3, 9)];
    assert_eq!(order, as_told.map(|(rank, second)| (rank, at(second))));
    let all = ActionFilter::all(Variant::Current);
    for limit in [1, 2, 3, 7, 8] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = stores.actions(&org, &all, after.as_ref(), limit).unwrap();
            assert!(page.items.len() <= usize::try_from(limit).unwrap());
            found.extend(page.items);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(found, expected, "{limit} a page");
    }
}

pub(crate) fn pagination_is_stable_when_items_change(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let items = listed(&world, &org);
    let all = ActionFilter::all(Variant::Current);
    let cursor = ActionCursor::after(&items[2]);
    // The item of the cursor changes its position, and another one is inserted before it.
    let lower = ActionPatch {
        priority: Some(Priority::Low),
        ..ActionPatch::default()
    };
    stores
        .patch_action(&org, &items[2].id, &lower, at(20), &BY)
        .unwrap();
    let newer = ActionItem {
        priority: Priority::High,
        created_at: at(30),
        ..world.new_item(&org, "Newer")
    };
    stores.create_action(&org, &newer, &BY).unwrap();
    let page = stores.actions(&org, &all, Some(&cursor), 100).unwrap();
    let ids: Vec<_> = page.items.iter().map(|item| &item.id).collect();
    let expected = [&items[3], &items[4], &items[5], &items[6], &items[2]];
    assert_eq!(ids, expected.map(|item| &item.id));
}

pub(crate) fn filters_of_items_combine(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let sites = ["https://a.example/", "https://b.example/"]
        .map(|url| Some(world.start(&org, url).site_id));
    let ada = Some(member(&world, &org, "ada"));
    let mut items = Vec::new();
    for site_id in [None, sites[0].clone(), sites[1].clone()] {
        for status in ActionStatus::ALL {
            for (priority, assignee) in [
                (Priority::High, None),
                (Priority::High, ada.clone()),
                (Priority::Low, None),
            ] {
                let item = ActionItem {
                    site_id: site_id.clone(),
                    status,
                    priority,
                    assignee,
                    resolved_at: status.is_resolved().then(|| at(0)),
                    ..world.new_item(&org, "Something")
                };
                assert_eq!(stores.create_action(&org, &item, &BY), Ok(()));
                items.push(item);
            }
        }
    }
    items.sort_by_key(ActionCursor::after);
    let all = ActionFilter::all(Variant::Current);
    let open = [ActionStatus::Open, ActionStatus::InProgress].into();
    let half = ActionCursor::after(&items[items.len() / 2]);
    for (statuses, priorities, site, assignee) in [
        ([].into(), [].into(), None, None),
        (open, [].into(), None, None),
        (
            [].into(),
            [Priority::Low, Priority::Critical].into(),
            None,
            None,
        ),
        ([].into(), [].into(), sites[0].clone(), None),
        ([].into(), [].into(), None, ada.clone()),
        (
            [ActionStatus::Done].into(),
            [Priority::High].into(),
            sites[1].clone(),
            ada,
        ),
    ] {
        let filter = ActionFilter {
            statuses,
            priorities,
            site,
            assignee,
            ..all.clone()
        };
        let shown: Vec<_> = (items.iter())
            .filter(|item| filter.shows(item))
            .cloned()
            .collect();
        assert!(!shown.is_empty());
        let page = stores.actions(&org, &filter, None, 100).unwrap();
        assert_eq!(page.items, shown, "{filter:?}");
        let rest = stores.actions(&org, &filter, Some(&half), 100).unwrap();
        let behind = (shown.into_iter()).filter(|item| ActionCursor::after(item) > half);
        assert_eq!(rest.items, behind.collect::<Vec<_>>(), "{filter:?}");
    }
}

pub(crate) fn a_list_of_items_needs_its_site_and_no_member(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.item(&org, "Something");
    let all = ActionFilter::all(Variant::Current);
    let nowhere = ActionFilter {
        site: Some(SiteId::make(&world.ids)),
        ..all.clone()
    };
    let refused = stores.actions(&org, &nowhere, None, 10);
    assert_eq!(refused, Err(ListActionsError::SiteNotFound));
    let of_nobody = ActionFilter {
        assignee: Some(MemberId::make(&world.ids)),
        ..all
    };
    assert_eq!(
        stores.actions(&org, &of_nobody, None, 10).unwrap().items,
        []
    );
}

pub(crate) fn the_open_items_of_a_site_are_counted(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let counts = |variant| {
        let sites = stores.sites(&org, variant).unwrap();
        let counts = sites.iter().map(|known| known.open_actions);
        counts.collect::<Vec<_>>()
    };
    let (claim, _) = world.audited(&org, &sample::audit_result(), 0);
    world.start_at(&org, "https://other.example/", at(20));
    world.item(&org, "Of no site");
    assert_eq!(counts(Variant::Current), [5, 0]);
    assert_eq!(counts(Variant::Legacy), [4, 0]);
    let by_hand = ActionItem {
        site_id: Some(claim.site_id),
        ..world.new_item(&org, "By hand")
    };
    stores.create_action(&org, &by_hand, &BY).unwrap();
    assert_eq!(counts(Variant::Legacy), [5, 0]);
    for (to, left) in [
        (ActionStatus::InProgress, 6),
        (ActionStatus::Done, 5),
        (ActionStatus::Open, 6),
        (ActionStatus::Dismissed, 5),
    ] {
        stores
            .patch_action(&org, &by_hand.id, &status(to), at(30), &BY)
            .unwrap();
        assert_eq!(counts(Variant::Current), [left, 0]);
    }
}

pub(crate) fn a_dossier_has_how_the_audit_looked_at_pages(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let by_hand = world.item(&org, "By hand");
    let phone = ObservationMode::Rendered(Device::Mobile);
    for (second, rendered, found, mode) in [
        (0, 0, ObservationMode::Static, Mode::Static),
        (60, 1, phone, Mode::Auto),
    ] {
        let mut result = sample::audit_result();
        if rendered > 0 {
            result.coverage.mode = CrawlMode::Rendered;
            result.coverage.pages_rendered = rendered;
        }
        world.audited(&org, &result, second);
        let items = world.items(&org);
        let of_audits = items.iter().filter(|item| item.audit.is_some());
        let dossiers = of_audits.map(|item| stores.dossier(&org, &item.id, Variant::Current));
        let looks = dossiers.map(|dossier| {
            let dossier = dossier.unwrap().unwrap();
            (dossier.found, dossier.mode)
        });
        let looks: HashSet<_> = looks.collect();
        assert_eq!(looks, HashSet::from([(Some(found), Some(mode))]));
    }
    let dossier = stores.dossier(&org, &by_hand.id, Variant::Current);
    let dossier = dossier.unwrap().unwrap();
    assert_eq!((dossier.found, dossier.mode), (None, None));
}

pub(crate) fn a_dossier_has_the_issue_of_its_check(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (_, completed) = world.audited(&org, &sample::audit_result(), 0);
    for variant in [Variant::Current, Variant::Legacy] {
        let report = stores.report(&org, &completed.report_id, variant, ReportDetail::Whole);
        let report = report.unwrap().unwrap().report;
        for item in world.items(&org) {
            let dossier = stores.dossier(&org, &item.id, variant).unwrap();
            if !item.is_shown_in(variant) {
                assert_eq!(dossier, None);
                continue;
            }
            let check = &item.audit.as_ref().unwrap().check_id;
            let mut issues = report.issues.iter();
            let of_check = issues.find(|issue| issue.check_id == *check);
            let mut of_check = of_check.unwrap().clone();
            let occurrences = match of_check.causes_total {
                0 | 1 => DOSSIER_OCCURRENCES,
                _ => INLINE_OCCURRENCES,
            };
            of_check.causes.truncate(DOSSIER_CAUSES);
            for cause in &mut of_check.causes {
                cause.occurrences.truncate(occurrences);
            }
            let dossier = dossier.unwrap();
            assert_eq!(dossier.issue, Some(of_check));
            assert_eq!(dossier.item, item);
            assert_eq!(dossier.site_url.as_deref(), Some("https://example.com/"));
        }
    }
    let by_hand = world.item(&org, "By hand");
    let dossier = stores.dossier(&org, &by_hand.id, Variant::Legacy);
    let dossier = dossier.unwrap().unwrap();
    assert_eq!((dossier.issue, dossier.site_url), (None, None));
    let unknown = ActionId::make(&world.ids);
    assert_eq!(stores.dossier(&org, &unknown, Variant::Current), Ok(None));
}
