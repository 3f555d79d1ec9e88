ALTER TABLE organizations DROP COLUMN requires_second_factor;
DROP TABLE pending_sign_ins;
DROP TABLE recovery_codes;
DROP TABLE second_factors;
