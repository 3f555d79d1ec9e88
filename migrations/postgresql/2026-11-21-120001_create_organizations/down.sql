DROP TABLE members;
DROP TABLE organizations;
