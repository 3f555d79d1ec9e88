DROP TABLE action_briefs;
