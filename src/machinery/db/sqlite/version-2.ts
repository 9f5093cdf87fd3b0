import { abstractTables } from './version-2-abstracts.ts'
import { badgeColumns } from './version-2-badges.ts'
import { callTables } from './version-2-calls.ts'
import { decisionTables } from './version-2-decisions.ts'
import { doorTables } from './version-2-door.ts'
import { mailTables } from './version-2-mail.ts'
import { pagesOfVersion2 } from './version-2-pages.ts'
import { paymentTables } from './version-2-payments.ts'
import { payoutTables } from './version-2-payouts.ts'
import { programmeTables } from './version-2-programme.ts'
import { questionsAndCodes } from './version-2-questions.ts'
import { receiptTables } from './version-2-receipts.ts'
import { reviewTables } from './version-2-reviews.ts'
import { sellingTables } from './version-2-selling.ts'
import { seriesTables } from './version-2-series.ts'
import { statementTables } from './version-2-statements.ts'

/** Turns a database of version 1 into one of version 2. */
export const toVersion2 = `ALTER TABLE instance ADD COLUMN heartbeat_at BIGINT;
   ALTER TABLE instance ADD COLUMN run_mark TEXT;
   ALTER TABLE instance ADD COLUMN held_at BIGINT;
   ALTER TABLE webhook_endpoints ADD COLUMN failing_since BIGINT;
   ALTER TABLE webhook_attempts ADD COLUMN url TEXT;
   UPDATE webhook_attempts SET url = (SELECT e.url FROM webhook_deliveries d
     JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.id = webhook_attempts.delivery_id);
   CREATE TABLE answer_keys (
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     key TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (event_id, key),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   INSERT INTO answer_keys (account_id, event_id, key, created_at, updated_at)
     SELECT DISTINCT r.account_id, r.event_id, a.key, i.latest_write_at, i.latest_write_at
     FROM registrations r, instance i,
       json_each(CASE WHEN json_valid(r.answers) THEN r.answers ELSE '{}' END) a;
   DROP INDEX registrations_by_buyer;
   CREATE INDEX registrations_by_buyer
     ON registrations (account_id, buyer_email_key, created_at, id, event_id, status);
   DROP INDEX waitlist_entries_waiting;
   CREATE INDEX waitlist_entries_waiting
     ON waitlist_entries (account_id, registration_type_id, created_at, id, quantity) WHERE notified_at IS NULL;
   CREATE INDEX waitlist_entries_by_type ON waitlist_entries (account_id, registration_type_id, created_at, id);
   DROP INDEX webhook_events_by_age;
   CREATE INDEX webhook_events_by_account ON webhook_events (account_id, created_at, id);
   DROP INDEX webhook_deliveries_by_age;
   CREATE INDEX webhook_deliveries_by_account ON webhook_deliveries (account_id, created_at, id);
   DROP INDEX webhook_deliveries_by_status;
   CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (account_id, status, created_at, id);
   DROP INDEX webhook_deliveries_by_endpoint;
   CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, account_id, created_at, id);
   DROP INDEX webhook_deliveries_by_endpoint_status;
   CREATE INDEX webhook_deliveries_by_endpoint_status
     ON webhook_deliveries (endpoint_id, account_id, status, created_at, id);
   ALTER TABLE accounts ADD COLUMN number INTEGER;
   UPDATE accounts SET number = rowid;
   CREATE UNIQUE INDEX accounts_by_number ON accounts (number);
   ALTER TABLE events ADD COLUMN number INTEGER;
   UPDATE events SET number = rowid;
   CREATE UNIQUE INDEX events_by_number ON events (account_id, number);
   ALTER TABLE registrations ADD COLUMN number INTEGER;
   UPDATE registrations SET number = rowid;
   CREATE UNIQUE INDEX registrations_by_number ON registrations (account_id, number);
   CREATE TABLE registration_words (
     account_number INTEGER NOT NULL,
     word TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     registration_number INTEGER NOT NULL,
     event_number INTEGER NOT NULL,
     updated_at BIGINT NOT NULL
   );
   INSERT INTO registration_words (account_number, word, created_at, registration_number, event_number, updated_at)
     SELECT a.number, w.value, r.created_at, r.number, e.number, i.latest_write_at
     FROM instance i, registrations r JOIN accounts a ON a.id = r.account_id JOIN events e ON e.id = r.event_id,
       json_each(words_of(r.buyer_name, r.buyer_email,
         (SELECT json_group_array(json_array(t.name, t.email) ORDER BY t.position) FROM attendees t
          WHERE t.registration_id = r.id))) w;
   CREATE UNIQUE INDEX registration_words_by_word
     ON registration_words (account_number, word, created_at, registration_number, event_number);
   ALTER TABLE accounts ADD COLUMN slug TEXT;
   CREATE UNIQUE INDEX accounts_by_slug ON accounts (slug);
   ALTER TABLE events ADD COLUMN description TEXT;
   ALTER TABLE registration_types ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE registrations ADD COLUMN note TEXT;
   ALTER TABLE registrations ADD COLUMN erased_at BIGINT;
   ALTER TABLE waitlist_entries ADD COLUMN language TEXT NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'es'));
   ALTER TABLE waitlist_entries ADD COLUMN order_id TEXT;
   ALTER TABLE registrations ADD COLUMN order_id TEXT;
   ALTER TABLE registrations ADD COLUMN secret_version INTEGER NOT NULL DEFAULT 1 CHECK (secret_version >= 1);
   CREATE INDEX registrations_by_order ON registrations (account_id, order_id, created_at, id) WHERE order_id IS NOT NULL;
   ALTER TABLE registrations ADD COLUMN exchanged_for TEXT;
   CREATE UNIQUE INDEX registrations_by_exchange ON registrations (account_id, exchanged_for) WHERE exchanged_for IS NOT NULL;
   ALTER TABLE registrations ADD COLUMN beside TEXT;
   CREATE INDEX registrations_beside ON registrations (account_id, beside, created_at, id) WHERE beside IS NOT NULL;
   CREATE TABLE users (
     id TEXT PRIMARY KEY NOT NULL,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL,
     password_hash TEXT NOT NULL,
     operator INTEGER NOT NULL CHECK (operator IN (0, 1)),
     language TEXT NOT NULL CHECK (language IN ('en', 'es')),
     totp_secret TEXT,
     totp_last_step BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     CHECK (totp_secret IS NOT NULL OR totp_last_step IS NULL)
   );
   CREATE TABLE recovery_codes (
     code_hash TEXT NOT NULL,
     user_id TEXT NOT NULL REFERENCES users (id),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (user_id, code_hash)
   );
   CREATE TABLE members (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     user_id TEXT NOT NULL REFERENCES users (id),
     role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'finance', 'door', 'chair', 'reviewer')),
     all_events INTEGER NOT NULL CHECK (all_events IN (0, 1)),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, user_id)
   );
   CREATE INDEX members_by_user ON members (user_id, created_at, id);
   CREATE TABLE sessions (
     token_hash TEXT PRIMARY KEY NOT NULL,
     id TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL REFERENCES users (id),
     address TEXT,
     browser TEXT,
     last_used_at BIGINT NOT NULL,
     expires_at BIGINT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL
   );
   CREATE INDEX sessions_by_user ON sessions (user_id, created_at, id);
   CREATE INDEX sessions_by_expiry ON sessions (expires_at);
   CREATE TABLE one_time_links (
     token_hash TEXT PRIMARY KEY NOT NULL,
     id TEXT NOT NULL UNIQUE,
     kind TEXT NOT NULL CHECK (kind IN ('setup', 'invitation', 'reset', 'sign-in')),
     account_id TEXT REFERENCES accounts (id),
     user_id TEXT REFERENCES users (id),
     email TEXT,
     role TEXT CHECK (role IN ('owner', 'manager', 'finance', 'door', 'chair', 'reviewer')),
     event_ids TEXT,
     expires_at BIGINT NOT NULL,
     used_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     CHECK (
       (kind = 'setup' AND account_id IS NULL AND user_id IS NULL)
       OR (kind = 'invitation' AND account_id IS NOT NULL AND email IS NOT NULL AND role IS NOT NULL)
       OR (kind IN ('reset', 'sign-in') AND user_id IS NOT NULL)
     )
   );
   CREATE INDEX one_time_links_by_account ON one_time_links (account_id, created_at, id) WHERE account_id IS NOT NULL;
   CREATE INDEX one_time_links_by_expiry ON one_time_links (expires_at);
   CREATE TABLE form_receipts (
     account_id TEXT NOT NULL REFERENCES accounts (id),
     user_id TEXT NOT NULL REFERENCES users (id),
     form_id TEXT NOT NULL,
     location TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, user_id, form_id)
   );
   CREATE INDEX form_receipts_by_age ON form_receipts (account_id, created_at, user_id, form_id);
   CREATE TABLE member_events (
     member_id TEXT NOT NULL REFERENCES members (id),
     event_id TEXT NOT NULL REFERENCES events (id),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (member_id, event_id)
   );
   CREATE INDEX member_events_by_event ON member_events (event_id);
   CREATE TABLE capacity_pools (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     name TEXT NOT NULL,
     capacity INTEGER NOT NULL CHECK (capacity BETWEEN 0 AND 1000000),
     sold INTEGER NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (event_id, name),
     UNIQUE (event_id, id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (sold BETWEEN 0 AND capacity)
   );
   CREATE INDEX capacity_pools_by_event ON capacity_pools (account_id, event_id, created_at, id);
   CREATE TABLE registration_type_pools (
     event_id TEXT NOT NULL,
     registration_type_id TEXT NOT NULL,
     pool_id TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (registration_type_id, pool_id),
     FOREIGN KEY (event_id, registration_type_id) REFERENCES registration_types (event_id, id),
     FOREIGN KEY (event_id, pool_id) REFERENCES capacity_pools (event_id, id)
   );
   CREATE INDEX registration_type_pools_by_pool ON registration_type_pools (pool_id, registration_type_id);
   ${questionsAndCodes};
   CREATE TABLE jobs (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     event_id TEXT,
     kind TEXT NOT NULL,
     input TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('preparing', 'waiting', 'running', 'done', 'failed', 'stopped')),
     position TEXT,
     done INTEGER NOT NULL CHECK (done >= 0),
     total INTEGER CHECK (total >= 0),
     outcome TEXT,
     started_by TEXT NOT NULL,
     not_before BIGINT,
     lease_until BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     UNIQUE (account_id, id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX jobs_by_account ON jobs (account_id, created_at, id);
   CREATE INDEX jobs_by_event ON jobs (account_id, event_id, created_at, id);
   CREATE INDEX jobs_to_do ON jobs (account_id, created_at, id) WHERE state IN ('waiting', 'running');
   CREATE TABLE import_lines (
     job_id TEXT NOT NULL REFERENCES jobs (id),
     line INTEGER NOT NULL,
     input TEXT NOT NULL,
     fate TEXT NOT NULL CHECK (fate IN ('read', 'new', 'known', 'wrong', 'sold_out', 'left_out', 'added')),
     details TEXT NOT NULL,
     reference TEXT,
     email_key TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (job_id, line)
   );
   CREATE INDEX import_lines_by_fate ON import_lines (job_id, fate, line);
   CREATE INDEX import_lines_by_reference ON import_lines (job_id, reference, line) WHERE reference IS NOT NULL;
   CREATE INDEX import_lines_by_email ON import_lines (job_id, email_key, line) WHERE email_key IS NOT NULL;
   CREATE TABLE event_figures (
     event_id TEXT PRIMARY KEY NOT NULL REFERENCES events (id),
     account_id TEXT NOT NULL REFERENCES accounts (id),
     figures TEXT NOT NULL,
     counted_at BIGINT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL
   );
   CREATE INDEX event_figures_by_account ON event_figures (account_id, event_id);
   DROP INDEX registrations_by_account;
   CREATE INDEX registrations_by_account ON registrations (account_id, created_at, id, status);
   DROP INDEX registrations_by_status;
   CREATE INDEX registrations_unconfirmed ON registrations (account_id, status, created_at, id)
     WHERE status <> 'confirmed';
   DROP INDEX registrations_by_refund;
   DROP INDEX registrations_by_event_status;
   CREATE INDEX registrations_unconfirmed_by_event ON registrations (account_id, event_id, status, created_at, id)
     WHERE status <> 'confirmed';
   DROP INDEX registrations_by_event;
   CREATE INDEX registrations_by_event
     ON registrations (account_id, event_id, created_at, id, registration_type_id, status);
   CREATE INDEX registrations_with_many_tickets ON registrations (account_id, created_at, id) WHERE quantity >= 24;
   CREATE INDEX access_log_by_target ON access_log (account_id, target_id, created_at, id)
     WHERE action <> 'registration.create' AND action <> 'check_in.create';
   ${mailTables};
   ${pagesOfVersion2};
   ${sellingTables};
   ${paymentTables};
   ${receiptTables};
   ${payoutTables};
   ${statementTables};
   ${doorTables};
   ${abstractTables};
   ${callTables};
   ${decisionTables};
   ${reviewTables};
   ${programmeTables};
   ALTER TABLE attendees ADD COLUMN mailed_at BIGINT;
   ${badgeColumns};
   ${seriesTables}`
