-- What runs of the site begin with, where it was ever set. Of headers the options hold the names, and
-- the other column, encrypted, the values.
ALTER TABLE sites ADD COLUMN options TEXT;
ALTER TABLE sites ADD COLUMN sealed_headers TEXT;
