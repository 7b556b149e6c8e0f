-- Entries that a program keeps under an address, which is their subject: files of /memories, items of a store.
CREATE INDEX entries_by_address ON entries (repository, subject) WHERE tags LIKE '%"shelved%';
