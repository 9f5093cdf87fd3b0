/** The part of version 2 for doors. */
export const doorTables = `ALTER TABLE instance ADD COLUMN write_number BIGINT NOT NULL DEFAULT 0;
   ALTER TABLE instance ADD COLUMN epoch TEXT NOT NULL DEFAULT '';
   ALTER TABLE instance ADD COLUMN epoch_at BIGINT;
   ALTER TABLE check_ins ADD COLUMN checked_in_at BIGINT NOT NULL DEFAULT 0;
   ALTER TABLE check_ins ADD COLUMN scan_id TEXT;
   UPDATE check_ins SET checked_in_at = created_at;
   CREATE INDEX check_ins_by_instant ON check_ins (account_id, checked_in_at, id);
   CREATE TABLE entries (
     attendee_id TEXT NOT NULL REFERENCES attendees (id),
     slot TEXT NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     scan_id TEXT,
     entered_at BIGINT NOT NULL,
     left_scan_id TEXT,
     left_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (attendee_id, slot),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((left_scan_id IS NULL) = (left_at IS NULL))
   );
   CREATE INDEX entries_by_event ON entries (account_id, event_id, entered_at, attendee_id, slot);
   CREATE INDEX entries_by_ticket ON entries (attendee_id, entered_at, slot);
   CREATE TABLE devices (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     name TEXT NOT NULL,
     registration_type_ids TEXT,
     search INTEGER NOT NULL CHECK (search IN (0, 1)),
     unlisted INTEGER NOT NULL CHECK (unlisted IN (0, 1)),
     pairing_hash TEXT UNIQUE,
     pairing_expires_at BIGINT,
     token_hash TEXT UNIQUE,
     token_unused INTEGER NOT NULL DEFAULT 0 CHECK (token_unused IN (0, 1)),
     paired_at BIGINT,
     last_seen_at BIGINT,
     waiting INTEGER NOT NULL DEFAULT 0,
     taken INTEGER NOT NULL DEFAULT 0,
     revoked_at BIGINT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     way TEXT NOT NULL DEFAULT 'in' CHECK (way IN ('in', 'out')),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX devices_by_event ON devices (account_id, event_id, created_at, id);
   CREATE INDEX devices_at_work ON devices (event_id) WHERE revoked_at IS NULL;
   CREATE TABLE scans (
     id TEXT NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     device_id TEXT,
     door TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('scan', 'undo', 'exit')),
     of_id TEXT,
     attendee_id TEXT,
     by_hand INTEGER NOT NULL CHECK (by_hand IN (0, 1)),
     device_at BIGINT NOT NULL,
     clock_offset BIGINT NOT NULL,
     scanned_at BIGINT NOT NULL,
     shown TEXT CHECK (shown IN ('admitted', 'refused')),
     note TEXT,
     outcome TEXT NOT NULL CHECK (outcome IN ('admitted', 'refused', 'conflict', 'undone', 'held', 'left')),
     reason TEXT,
     number BIGINT NOT NULL,
     changed INTEGER NOT NULL DEFAULT 0 CHECK (changed IN (0, 1)),
     seen_at BIGINT,
     case_id TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK ((kind = 'undo') = (of_id IS NOT NULL)),
     CHECK (kind = 'undo' OR attendee_id IS NOT NULL),
     CHECK (outcome <> 'conflict' OR shown = 'admitted'),
     CHECK (outcome <> 'admitted' OR shown IS NULL OR shown = 'admitted'),
     CHECK (outcome <> 'left' OR kind = 'exit')
   );
   CREATE INDEX scans_by_event ON scans (account_id, event_id, created_at, id);
   CREATE INDEX scans_by_number ON scans (account_id, event_id, number, id);
   CREATE INDEX scans_to_look_at ON scans (account_id, event_id, outcome, created_at, id)
     WHERE outcome IN ('conflict', 'held') AND seen_at IS NULL;
   CREATE INDEX scans_to_decide ON scans (account_id, event_id, outcome, scanned_at, id)
     WHERE outcome IN ('conflict', 'held') AND seen_at IS NULL;
   CREATE INDEX scans_by_case ON scans (account_id, case_id, scanned_at, id) WHERE case_id IS NOT NULL;
   CREATE INDEX scans_to_decide_by_device ON scans (account_id, device_id, outcome, scanned_at, id)
     WHERE outcome IN ('conflict', 'held') AND seen_at IS NULL;
   CREATE INDEX scans_standing ON scans (account_id, attendee_id, event_id, scanned_at, id) WHERE outcome = 'conflict';
   CREATE INDEX scans_by_ticket ON scans (account_id, attendee_id, scanned_at, id);
   CREATE INDEX scans_by_hand ON scans (account_id, device_id, scanned_at) WHERE by_hand = 1;
   CREATE INDEX scans_undone ON scans (account_id, of_id, event_id, outcome, scanned_at, id) WHERE kind = 'undo';
   CREATE INDEX scans_of_exits ON scans (account_id, attendee_id, event_id, outcome, reason, scanned_at, id) WHERE kind = 'exit';
   CREATE TABLE scan_cases (
     id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     outcome TEXT NOT NULL CHECK (outcome IN ('conflict', 'held')),
     device_id TEXT NOT NULL,
     door TEXT NOT NULL,
     ticket_id TEXT NOT NULL,
     scans INTEGER NOT NULL CHECK (scans > 0),
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE UNIQUE INDEX scan_cases_by_ticket ON scan_cases (account_id, event_id, outcome, device_id, door, ticket_id);
   CREATE INDEX scan_cases_by_age ON scan_cases (account_id, event_id, outcome, created_at, id);
   CREATE TABLE door_changes (
     event_id TEXT NOT NULL,
     number BIGINT NOT NULL,
     attendee_id TEXT NOT NULL,
     account_id TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, event_id, number, attendee_id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX door_changes_by_age ON door_changes (account_id, created_at)`
