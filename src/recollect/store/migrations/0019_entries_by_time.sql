-- Lists are in the order of the dates that they show. An entry may come in long after it was said.
CREATE INDEX entries_by_time ON entries (created);
