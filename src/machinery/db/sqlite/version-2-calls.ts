/** The part of version 2 for the call for abstracts. */
export const callTables = `ALTER TABLE abstracts ADD COLUMN language TEXT;
   ALTER TABLE abstracts ADD COLUMN topic_id TEXT;
   ALTER TABLE abstracts ADD COLUMN kind_id TEXT;
   ALTER TABLE abstracts ADD COLUMN revision INTEGER NOT NULL DEFAULT 0 CHECK (revision >= 0);
   ALTER TABLE abstracts ADD COLUMN withdrawn_at BIGINT;
   ALTER TABLE abstracts ADD COLUMN decision_number INTEGER NOT NULL DEFAULT 0 CHECK (decision_number >= 0);
   ALTER TABLE abstracts ADD COLUMN decided_kind_id TEXT;
   ALTER TABLE abstracts ADD COLUMN comments_told_at BIGINT;
   ALTER TABLE abstracts ADD COLUMN registration_code_id TEXT;
   ALTER TABLE abstracts ADD COLUMN confirm_by BIGINT;
   ALTER TABLE abstracts ADD COLUMN confirm_reminded INTEGER;
   ALTER TABLE abstracts ADD COLUMN confirmed_at BIGINT;
   ALTER TABLE abstracts ADD COLUMN unavailable TEXT;
   DROP INDEX abstracts_by_account;
   DROP INDEX abstracts_by_status;
   DROP INDEX abstracts_by_event;
   DROP INDEX abstracts_by_event_status;
   CREATE INDEX abstracts_by_account ON abstracts (account_id, created_at, id) WHERE withdrawn_at IS NULL;
   CREATE INDEX abstracts_by_status ON abstracts (account_id, status, created_at, id) WHERE withdrawn_at IS NULL;
   CREATE INDEX abstracts_by_event ON abstracts (account_id, event_id, created_at, id) WHERE withdrawn_at IS NULL;
   CREATE INDEX abstracts_withdrawn ON abstracts (account_id, event_id, created_at, id) WHERE withdrawn_at IS NOT NULL;
   CREATE INDEX abstracts_of_event ON abstracts (account_id, event_id, created_at, id);
   CREATE INDEX abstracts_of_account ON abstracts (account_id, created_at, id);
   CREATE INDEX abstracts_by_event_status ON abstracts (account_id, event_id, status, created_at, id)
     WHERE withdrawn_at IS NULL;
   CREATE INDEX abstracts_withdrawn_by_status ON abstracts (account_id, status, created_at, id) WHERE withdrawn_at IS NOT NULL;
   CREATE INDEX abstracts_withdrawn_of_account ON abstracts (account_id, created_at, id) WHERE withdrawn_at IS NOT NULL;
   CREATE INDEX abstracts_withdrawn_by_event_status ON abstracts (account_id, event_id, status, created_at, id)
     WHERE withdrawn_at IS NOT NULL;
   CREATE INDEX abstracts_unconfirmed ON abstracts (account_id, event_id, created_at, id)
     WHERE status = 'accepted' AND confirm_by IS NOT NULL AND confirmed_at IS NULL AND withdrawn_at IS NULL;
   CREATE INDEX abstracts_to_confirm ON abstracts (confirm_by, id)
     WHERE status = 'accepted' AND confirm_by IS NOT NULL AND confirmed_at IS NULL AND withdrawn_at IS NULL;
   CREATE TABLE abstract_revisions (
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     abstract_id TEXT NOT NULL REFERENCES abstracts (id),
     number INTEGER NOT NULL CHECK (number > 0),
     content TEXT NOT NULL,
     formulas TEXT,
     changed_by TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (abstract_id, number),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX abstract_revisions_by_event ON abstract_revisions (account_id, event_id);
   CREATE TABLE calls (
     event_id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     opens_at BIGINT NOT NULL,
     closes_at BIGINT NOT NULL,
     zone TEXT,
     about TEXT,
     sections TEXT NOT NULL,
     max_words INTEGER NOT NULL CHECK (max_words BETWEEN 1 AND 2000),
     per_person INTEGER NOT NULL CHECK (per_person BETWEEN 1 AND 50),
     topics TEXT NOT NULL,
     kinds TEXT NOT NULL,
     file TEXT NOT NULL CHECK (file IN ('none', 'optional', 'required')),
     max_file_mib INTEGER NOT NULL CHECK (max_file_mib BETWEEN 1 AND 10),
     reminded_for BIGINT,
     reminded_days INTEGER,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (opens_at <= closes_at),
     CHECK ((reminded_for IS NULL) = (reminded_days IS NULL))
   );
   CREATE INDEX calls_by_account ON calls (account_id, event_id);
   CREATE INDEX calls_by_end ON calls (closes_at, event_id);
   CREATE TABLE submitters (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     reference TEXT NOT NULL,
     name TEXT NOT NULL,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL,
     language TEXT NOT NULL CHECK (language IN ('en', 'es')),
     secret_version INTEGER NOT NULL,
     confirmed_at BIGINT,
     late_until BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, id),
     UNIQUE (event_id, email_key),
     UNIQUE (event_id, reference),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX submitters_by_event ON submitters (account_id, event_id, created_at, id);
   CREATE INDEX submitters_by_email ON submitters (account_id, email_key, id);
   CREATE TABLE submissions (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     reference TEXT NOT NULL,
     submitter_id TEXT NOT NULL,
     form_id TEXT NOT NULL,
     draft TEXT,
     draft_revision INTEGER NOT NULL CHECK (draft_revision >= 0),
     abstract_id TEXT REFERENCES abstracts (id),
     confirmed_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (event_id, form_id),
     UNIQUE (event_id, reference),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     FOREIGN KEY (account_id, submitter_id) REFERENCES submitters (account_id, id)
   );
   CREATE INDEX submissions_by_event ON submissions (account_id, event_id, created_at, id);
   CREATE INDEX submissions_with_draft ON submissions (account_id, event_id, created_at, id) WHERE draft IS NOT NULL;
   CREATE INDEX submissions_by_submitter ON submissions (account_id, submitter_id, created_at, id);
   CREATE UNIQUE INDEX submissions_by_abstract ON submissions (abstract_id) WHERE abstract_id IS NOT NULL;
   CREATE INDEX submissions_begun ON submissions (account_id, event_id, created_at, id) WHERE abstract_id IS NULL;
   CREATE INDEX submissions_sent ON submissions (account_id, event_id) WHERE abstract_id IS NOT NULL;
   CREATE INDEX submissions_unconfirmed ON submissions (account_id, event_id, id) WHERE confirmed_at IS NULL`
