DROP TABLE action_comments;
