use domain::audit_log::Actor;
use domain::key::Role;
use domain::ports::{NewMember, OrgStore};
use testkit::sample;

use crate::world::Fixture;

#[actix_web::test]
async fn an_organization_without_members() {
    let reply = Fixture::new().get("/api/mcp/members").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "members": []
    }
    "#);
}

#[actix_web::test]
async fn members_are_those_of_the_organization_oldest_first() {
    let world = Fixture::new();
    let by = Actor::CommandLine;
    let ada = sample::new_member(&world.ids, "ada");
    let grace = NewMember {
        role: Role::Admin,
        ..sample::new_member(&world.ids, "grace")
    };
    let eve = sample::new_member(&world.ids, "eve");
    for (org, member) in [
        (&world.acme, &ada),
        (&world.rival, &eve),
        (&world.acme, &grace),
    ] {
        assert!(world.stores.add_member(org, member, &by).unwrap());
    }
    let client = world.client().await;
    let reply = client.get(&world.reader, "/api/mcp/members").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "members": [
        {
          "email": "ada@example.com",
          "memberId": "mem_01KXZZ9Q80000000000000000A",
          "name": "ada",
          "role": "member"
        },
        {
          "email": "grace@example.com",
          "memberId": "mem_01KXZZ9Q80000000000000000B",
          "name": "grace",
          "role": "admin"
        }
      ]
    }
    "#);
    let removed = world
        .stores
        .remove_member(&world.acme, &ada.id, sample::noon(), &by);
    assert!(removed.unwrap());
    let list = client.get(&world.reader, "/api/mcp/members").await.json();
    assert_eq!(list["members"].as_array().unwrap().len(), 1);
    assert_eq!(list["members"][0]["name"], "grace");
}
