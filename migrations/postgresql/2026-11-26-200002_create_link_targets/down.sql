ALTER TABLE reports DROP COLUMN links;
DROP TABLE folders;
DROP TABLE redirect_chains;
DROP TABLE link_targets;
