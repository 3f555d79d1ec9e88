DROP TABLE occurrences;
