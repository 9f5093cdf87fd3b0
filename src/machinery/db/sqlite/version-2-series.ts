/** The part of version 2 for series of events. */
export const seriesTables = `CREATE TABLE series (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     name TEXT NOT NULL,
     slug TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, slug)
   );
   CREATE INDEX series_by_account ON series (account_id, created_at, id);
   ALTER TABLE events ADD COLUMN series_id TEXT REFERENCES series (id);
   CREATE INDEX events_of_series ON events (series_id, account_id, starts_at, id) WHERE series_id IS NOT NULL`
