DROP TABLE issues;
DROP TABLE reports;
