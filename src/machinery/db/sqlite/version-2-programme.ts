/** The part of version 2 for the programme of an event. */
export const programmeTables = `CREATE TABLE rooms (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     name TEXT NOT NULL,
     position INTEGER NOT NULL CHECK (position >= 0),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX rooms_by_event ON rooms (account_id, event_id, position, id);
   CREATE TABLE programme_sessions (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     room_id TEXT,
     title TEXT NOT NULL,
     about TEXT,
     starts_at BIGINT NOT NULL,
     ends_at BIGINT NOT NULL,
     chairs TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     FOREIGN KEY (account_id, room_id) REFERENCES rooms (account_id, id),
     CHECK (starts_at < ends_at)
   );
   CREATE INDEX programme_sessions_by_event ON programme_sessions (account_id, event_id, starts_at, id);
   CREATE INDEX programme_sessions_by_room ON programme_sessions (account_id, room_id, starts_at, id);
   CREATE TABLE slots (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     session_id TEXT NOT NULL,
     position INTEGER NOT NULL CHECK (position >= 0),
     minutes INTEGER NOT NULL CHECK (minutes BETWEEN 0 AND 1440),
     abstract_id TEXT REFERENCES abstracts (id),
     title TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     FOREIGN KEY (account_id, session_id) REFERENCES programme_sessions (account_id, id),
     CHECK ((abstract_id IS NULL) <> (title IS NULL))
   );
   CREATE INDEX slots_by_event ON slots (account_id, event_id, session_id, position, id);
   CREATE INDEX slots_by_session ON slots (account_id, session_id, position, id);
   CREATE INDEX slots_by_abstract ON slots (abstract_id);
   CREATE TABLE programme_versions (
     event_id TEXT NOT NULL,
     number INTEGER NOT NULL CHECK (number > 0),
     account_id TEXT NOT NULL,
     content TEXT NOT NULL,
     published_by TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (event_id, number),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX programme_versions_by_event ON programme_versions (account_id, event_id, number);
   CREATE TABLE programmes (
     event_id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     texts_from BIGINT,
     published INTEGER,
     verdicts TEXT NOT NULL DEFAULT '[]',
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     FOREIGN KEY (event_id, published) REFERENCES programme_versions (event_id, number)
   );
   CREATE INDEX programmes_by_account ON programmes (account_id, event_id);
   CREATE INDEX programmes_by_version ON programmes (event_id, published)`
