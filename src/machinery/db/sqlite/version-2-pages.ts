/** The part of version 2 for the pages of events and for how tickets are sold. */
export const pagesOfVersion2 = `ALTER TABLE accounts ADD COLUMN legal_name TEXT;
   ALTER TABLE accounts ADD COLUMN address TEXT;
   ALTER TABLE accounts ADD COLUMN tax_id TEXT;
   ALTER TABLE accounts ADD COLUMN imprint_url TEXT;
   ALTER TABLE accounts ADD COLUMN privacy_url TEXT;
   ALTER TABLE events ADD COLUMN address TEXT;
   ALTER TABLE events ADD COLUMN online_url TEXT;
   ALTER TABLE events ADD COLUMN contact_email TEXT;
   ALTER TABLE events ADD COLUMN terms TEXT;
   ALTER TABLE events ADD COLUMN names_locked_at BIGINT;
   ALTER TABLE events ADD COLUMN cancel_until BIGINT;
   ALTER TABLE events ADD COLUMN cancel_refund_basis_points INTEGER NOT NULL DEFAULT 10000
     CHECK (cancel_refund_basis_points BETWEEN 0 AND 10000);
   ALTER TABLE events ADD COLUMN payment_days INTEGER NOT NULL DEFAULT 7 CHECK (payment_days BETWEEN 1 AND 365);
   ALTER TABLE events ADD COLUMN withdrawal_excluded INTEGER NOT NULL DEFAULT 1 CHECK (withdrawal_excluded IN (0, 1));
   ALTER TABLE events ADD COLUMN waitlist_mode TEXT NOT NULL DEFAULT 'notify' CHECK (waitlist_mode IN ('off', 'notify', 'offer'));
   ALTER TABLE events ADD COLUMN waitlist_hours INTEGER NOT NULL DEFAULT 24 CHECK (waitlist_hours BETWEEN 1 AND 720);
   ALTER TABLE events ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE events ADD COLUMN reminder TEXT NOT NULL DEFAULT 'orders' CHECK (reminder IN ('off', 'orders', 'all'));
   ALTER TABLE events ADD COLUMN reminded_for BIGINT;
   ALTER TABLE events ADD COLUMN untold TEXT;
   ALTER TABLE events ADD COLUMN approval_days INTEGER NOT NULL DEFAULT 7 CHECK (approval_days BETWEEN 1 AND 60);
   CREATE TABLE event_pictures (
     event_id TEXT PRIMARY KEY NOT NULL,
     account_id TEXT NOT NULL,
     hash TEXT NOT NULL,
     type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
     width INTEGER NOT NULL CHECK (width > 0),
     height INTEGER NOT NULL CHECK (height > 0),
     sized INTEGER NOT NULL DEFAULT 0 CHECK (sized IN (0, 1)),
     size_attempts INTEGER NOT NULL DEFAULT 0 CHECK (size_attempts >= 0),
     content TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE INDEX event_pictures_by_account ON event_pictures (account_id, event_id);
   CREATE INDEX event_pictures_to_size ON event_pictures (sized, size_attempts, event_id) WHERE sized = 0;
   CREATE TABLE event_picture_sizes (
     event_id TEXT NOT NULL,
     account_id TEXT NOT NULL,
     use TEXT NOT NULL CHECK (use IN ('page', 'share')),
     width INTEGER NOT NULL CHECK (width > 0),
     height INTEGER NOT NULL CHECK (height > 0),
     hash TEXT NOT NULL,
     type TEXT NOT NULL CHECK (type IN ('image/jpeg', 'image/webp')),
     content TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (event_id, use, width),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id)
   );
   CREATE TABLE looks (
     id TEXT PRIMARY KEY NOT NULL CHECK (id = coalesce(event_id, account_id)),
     account_id TEXT NOT NULL REFERENCES accounts (id),
     event_id TEXT,
     colour TEXT CHECK (length(colour) = 7),
     logo_hash TEXT,
     logo_width INTEGER CHECK (logo_width > 0),
     logo_height INTEGER CHECK (logo_height > 0),
     logo_content TEXT,
     logo_page_content TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (colour IS NOT NULL OR logo_hash IS NOT NULL),
     CHECK ((logo_hash IS NULL) = (logo_content IS NULL) AND (logo_hash IS NULL) = (logo_width IS NULL)
       AND (logo_hash IS NULL) = (logo_height IS NULL)),
     CHECK (logo_hash IS NOT NULL OR logo_page_content IS NULL)
   );
   CREATE INDEX looks_by_account ON looks (account_id, event_id);
   CREATE INDEX looks_by_logo ON looks (account_id, logo_hash) WHERE logo_hash IS NOT NULL;
   ALTER TABLE registration_types ADD COLUMN min_per_order INTEGER NOT NULL DEFAULT 1 CHECK (min_per_order BETWEEN 1 AND 100);
   ALTER TABLE registration_types ADD COLUMN max_per_order INTEGER CHECK (max_per_order BETWEEN 1 AND 100);
   ALTER TABLE registration_types ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1));
   ALTER TABLE registration_types ADD COLUMN tax_basis_points INTEGER NOT NULL DEFAULT 0 CHECK (tax_basis_points BETWEEN 0 AND 10000);
   ALTER TABLE registration_types ADD COLUMN kind TEXT NOT NULL DEFAULT 'ticket' CHECK (kind IN ('ticket', 'extra'));
   ALTER TABLE registration_types ADD COLUMN open_price INTEGER NOT NULL DEFAULT 0 CHECK (open_price IN (0, 1));
   ALTER TABLE registration_types ADD COLUMN entries TEXT NOT NULL DEFAULT 'once' CHECK (entries IN ('once', 'each_day'));
   ALTER TABLE registration_types ADD COLUMN reentry INTEGER NOT NULL DEFAULT 0 CHECK (reentry IN (0, 1));
   CREATE INDEX events_to_come_by_account ON events (account_id, starts_at, id)
     WHERE status = 'published' AND visibility = 'public';
   CREATE INDEX events_to_come ON events (starts_at, id) WHERE status = 'published' AND visibility = 'public';
   CREATE INDEX events_to_remind ON events (starts_at, id) WHERE status = 'published' AND reminder <> 'off'`
