/** The part of version 2 for the review of abstracts. */
export const reviewTables = `CREATE TABLE review_rounds (
     event_id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     closes_at BIGINT NOT NULL,
     blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
     wanted INTEGER NOT NULL CHECK (wanted BETWEEN 1 AND 10),
     criteria TEXT NOT NULL,
     about TEXT,
     reminded_for BIGINT,
     reminded_days INTEGER,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((reminded_for IS NULL) = (reminded_days IS NULL))
   );
   CREATE INDEX review_rounds_by_account ON review_rounds (account_id, event_id);
   CREATE INDEX review_rounds_by_end ON review_rounds (closes_at, event_id);
   CREATE TABLE reviewers (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     reference TEXT NOT NULL,
     name TEXT NOT NULL,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL,
     affiliation TEXT,
     language TEXT NOT NULL CHECK (language IN ('en', 'es')),
     topics TEXT NOT NULL,
     conflicts TEXT NOT NULL,
     secret_version INTEGER NOT NULL,
     left_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, id),
     UNIQUE (event_id, email_key),
     UNIQUE (event_id, reference),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX reviewers_by_event ON reviewers (account_id, event_id, created_at, id);
   CREATE INDEX reviewers_by_email ON reviewers (account_id, email_key, id);
   CREATE TABLE reviews (
     abstract_id TEXT NOT NULL REFERENCES abstracts (id),
     reviewer_id TEXT NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     returned TEXT CHECK (returned IN ('conflict', 'field')),
     scores TEXT NOT NULL,
     recommendation TEXT CHECK (recommendation IN ('accept', 'unsure', 'reject')),
     to_authors TEXT,
     to_chairs TEXT,
     told TEXT,
     done_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, abstract_id, reviewer_id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     FOREIGN KEY (account_id, reviewer_id) REFERENCES reviewers (account_id, id),
     CHECK (done_at IS NULL OR (returned IS NULL AND recommendation IS NOT NULL))
   );
   CREATE INDEX reviews_by_event ON reviews (account_id, event_id, abstract_id, reviewer_id);
   CREATE INDEX reviews_by_reviewer ON reviews (account_id, reviewer_id, abstract_id);
   CREATE INDEX reviews_by_abstract ON reviews (abstract_id)`
