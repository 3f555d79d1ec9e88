-- When an audit last dismissed the item because waivers accepted everything that it found.
ALTER TABLE actions ADD COLUMN waived_at TIMESTAMP;
