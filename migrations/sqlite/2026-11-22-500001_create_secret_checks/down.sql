DROP TABLE secret_checks;
