/** The part of version 2 for the abstracts of an event. */
export const abstractTables = `CREATE TABLE abstract_files (
     id TEXT NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     submission_id TEXT,
     sha256 TEXT,
     size INTEGER NOT NULL CHECK (size >= 0),
     name TEXT NOT NULL,
     replaced_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((submission_id IS NULL) = (sha256 IS NULL)),
     CHECK (replaced_at IS NULL OR submission_id IS NOT NULL)
   );
   CREATE INDEX abstract_files_by_event ON abstract_files (account_id, event_id, submission_id, size);
   CREATE UNIQUE INDEX abstract_files_attached ON abstract_files (account_id, event_id, submission_id)
     WHERE submission_id IS NOT NULL AND replaced_at IS NULL;
   CREATE INDEX abstract_files_loose ON abstract_files (account_id, created_at, id) WHERE submission_id IS NULL;
   CREATE INDEX abstract_files_replaced ON abstract_files (account_id, replaced_at, id) WHERE replaced_at IS NOT NULL;
   CREATE TABLE file_chunks (
     account_id TEXT NOT NULL,
     file_id TEXT NOT NULL,
     number INTEGER NOT NULL CHECK (number >= 0),
     content BYTEA NOT NULL CHECK (octet_length(content) <= 262144),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, file_id, number),
     FOREIGN KEY (account_id, file_id) REFERENCES abstract_files (account_id, id)
   )`
