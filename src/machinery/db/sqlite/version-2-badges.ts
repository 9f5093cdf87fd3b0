/** The part of version 2 for badges. */
export const badgeColumns = `ALTER TABLE events ADD COLUMN badge_layout TEXT;
   ALTER TABLE attendees ADD COLUMN badge_printed_at BIGINT;
   CREATE INDEX attendees_by_print ON attendees (badge_printed_at) WHERE badge_printed_at IS NOT NULL`
