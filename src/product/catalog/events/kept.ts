/**
 * Returns the condition that a row does not belong to an event that is being deleted, of which nobody sees anything.
 *
 * @param alias that of a table with `event_id`
 */
export function ofKeptEvent(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM events e WHERE e.id = ${alias}.event_id AND e.deleting_at IS NOT NULL)`
}
