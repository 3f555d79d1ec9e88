DROP TABLE org_retention;
