-- How many entries were put into the index or taken out of it: a process that holds the index in memory looks here
-- whether it is still in step. Programs that do not count must not write any more, so this is a version of its own.
INSERT INTO notes (name, value) VALUES ('index changes', '0') ON CONFLICT (name) DO NOTHING;
