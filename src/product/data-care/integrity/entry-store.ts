import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import { type Id, type Rule, rule } from './store.ts'

type InSlot = Id & { slot: string }

/** Lists the rules of what must not be found in the entries of tickets, with the sentence for each. */
export const entryRules: readonly Rule<never>[] = [
  rule<InSlot>(
    `SELECT n.attendee_id AS id, n.slot FROM entries n LEFT JOIN check_ins c ON c.attendee_id = n.attendee_id
     WHERE c.id IS NULL AND ${ofKeptEvent('n')}`,
    ({ id, slot }) => `ticket ${id} has entry ${slot}, and is not checked in`,
  ),
  rule<InSlot>(
    `SELECT n.attendee_id AS id, n.slot FROM entries n JOIN attendees a ON a.id = n.attendee_id
     JOIN registrations r ON r.id = a.registration_id WHERE n.event_id <> r.event_id OR n.account_id <> r.account_id`,
    ({ id, slot }) => `entry ${slot} of ticket ${id} is at another event than its ticket`,
  ),
  rule<InSlot>(
    `SELECT n.attendee_id AS id, n.slot FROM entries n
     LEFT JOIN scans s ON s.account_id = n.account_id AND s.id = n.scan_id
     WHERE n.scan_id IS NOT NULL AND (s.id IS NULL OR s.outcome <> 'admitted' OR s.attendee_id <> n.attendee_id)
       AND ${ofKeptEvent('n')}`,
    ({ id, slot }) => `entry ${slot} of ticket ${id} is held by a scan that has not admitted it`,
  ),
  rule<InSlot>(
    `SELECT n.attendee_id AS id, n.slot FROM entries n
     LEFT JOIN scans s ON s.account_id = n.account_id AND s.id = n.left_scan_id
     WHERE n.left_scan_id IS NOT NULL AND (s.id IS NULL OR s.outcome <> 'left' OR s.attendee_id <> n.attendee_id)
       AND ${ofKeptEvent('n')}`,
    ({ id, slot }) => `entry ${slot} of ticket ${id} was ended by a scan that is not its exit`,
  ),
  rule<InSlot>(
    'SELECT n.attendee_id AS id, n.slot FROM entries n WHERE n.left_at < n.entered_at',
    ({ id, slot }) => `entry ${slot} of ticket ${id} ends before it begins`,
  ),
  rule<Id>(
    `SELECT s.id FROM scans s WHERE s.outcome = 'left' AND ${ofKeptEvent('s')}
       AND NOT EXISTS (SELECT 1 FROM entries n WHERE n.attendee_id = s.attendee_id AND n.left_scan_id = s.id)`,
    ({ id }) => `exit ${id} has ended an entry, and none says so`,
  ),
]
