/** The part of version 2 for mail. */
export const mailTables = `CREATE TABLE emails (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     event_id TEXT,
     kind TEXT NOT NULL,
     cause TEXT NOT NULL,
     subject_id TEXT,
     recipient TEXT NOT NULL,
     recipient_key TEXT NOT NULL,
     language TEXT NOT NULL CHECK (language IN ('en', 'es')),
     details TEXT NOT NULL,
     lane INTEGER NOT NULL CHECK (lane BETWEEN 1 AND 3),
     status TEXT NOT NULL CHECK (status IN ('waiting', 'sent', 'failed', 'withdrawn')),
     attempts INTEGER NOT NULL CHECK (attempts >= 0),
     next_attempt_at BIGINT,
     sent_at BIGINT,
     answer TEXT,
     subject TEXT,
     body TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, kind, cause, recipient_key),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((status = 'waiting') = (next_attempt_at IS NOT NULL)),
     CHECK ((status = 'sent') = (sent_at IS NOT NULL))
   );
   CREATE INDEX emails_due ON emails (lane, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
   CREATE INDEX emails_by_account ON emails (account_id, created_at, id);
   CREATE INDEX emails_by_status ON emails (account_id, status, created_at, id);
   CREATE INDEX emails_by_event ON emails (account_id, event_id, created_at, id);
   CREATE INDEX emails_by_event_status ON emails (account_id, event_id, status, created_at, id);
   CREATE INDEX emails_by_recipient ON emails (account_id, recipient_key, created_at, id);
   CREATE INDEX emails_by_subject ON emails (account_id, subject_id, created_at, id, status) WHERE subject_id IS NOT NULL;
   CREATE TABLE mail_turns (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     network TEXT NOT NULL,
     pace TEXT NOT NULL CHECK (pace IN ('buyers', 'others', 'confirmed')),
     subject_id TEXT NOT NULL,
     due_at BIGINT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL
   );
   CREATE INDEX mail_turns_by_network ON mail_turns (account_id, network, pace, due_at, id);
   CREATE INDEX mail_turns_by_age ON mail_turns (account_id, due_at, id);
   CREATE TABLE email_texts (
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     kind TEXT NOT NULL,
     language TEXT NOT NULL CHECK (language IN ('en', 'es')),
     subject TEXT NOT NULL,
     body TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (event_id, kind, language),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX email_texts_by_account ON email_texts (account_id, event_id, kind, language);
   CREATE TABLE unsubscribed (
     account_id TEXT NOT NULL REFERENCES accounts (id),
     email_key TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, email_key)
   );
   CREATE TABLE announcements (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     subject TEXT NOT NULL,
     body TEXT NOT NULL,
     audience TEXT NOT NULL,
     created_by TEXT NOT NULL,
     job_id TEXT, sent_at BIGINT, stopped_at BIGINT, origin_id TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((job_id IS NULL) = (sent_at IS NULL)), CHECK (stopped_at IS NULL OR sent_at IS NOT NULL)
   );
   CREATE INDEX announcements_by_event ON announcements (account_id, event_id, created_at, id);
   CREATE INDEX announcements_by_origin ON announcements (account_id, origin_id, id) WHERE origin_id IS NOT NULL`
