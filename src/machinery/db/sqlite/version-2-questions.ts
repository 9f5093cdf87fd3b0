/** The part of version 2 for questions and codes. */
export const questionsAndCodes = `CREATE TABLE questions (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     key TEXT NOT NULL,
     label TEXT NOT NULL,
     help TEXT,
     kind TEXT NOT NULL
       CHECK (kind IN ('text', 'long_text', 'one_of', 'several_of', 'yes_no', 'date', 'number', 'phone', 'country')),
     choices TEXT NOT NULL,
     required INTEGER NOT NULL CHECK (required IN (0, 1)),
     asked_for TEXT NOT NULL CHECK (asked_for IN ('order', 'ticket', 'abstract')),
     for_reviewers INTEGER NOT NULL CHECK (for_reviewers IN (0, 1)),
     answered_at BIGINT,
     registration_type_ids TEXT,
     position INTEGER NOT NULL,
     retired_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (event_id, key),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (asked_for = 'abstract' OR (for_reviewers = 0 AND answered_at IS NULL))
   );
   CREATE INDEX questions_by_event ON questions (account_id, event_id, created_at, id);
   CREATE TABLE codes (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     code TEXT NOT NULL,
     code_key TEXT NOT NULL,
     percent INTEGER CHECK (percent BETWEEN 1 AND 100),
     amount INTEGER CHECK (amount BETWEEN 1 AND 99999999),
     registration_type_ids TEXT,
     valid_from BIGINT,
     valid_until BIGINT,
     max_tickets INTEGER CHECK (max_tickets BETWEEN 1 AND 1000000),
     used INTEGER NOT NULL CHECK (used >= 0),
     active INTEGER NOT NULL CHECK (active IN (0, 1)),
     note TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (event_id, code_key),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (percent IS NULL OR amount IS NULL),
     CHECK (max_tickets IS NULL OR used <= max_tickets)
   );
   CREATE INDEX codes_by_event ON codes (account_id, event_id, created_at, id);
   ALTER TABLE attendees ADD COLUMN answers TEXT NOT NULL DEFAULT '{}';
   ALTER TABLE attendees ADD COLUMN code_id TEXT REFERENCES codes (id);
   CREATE INDEX attendees_by_code ON attendees (code_id) WHERE code_id IS NOT NULL`
