/**
 * Returns 1 where another ticket took the place of one, and else 0. It looks further at void tickets alone.
 *
 * @param ticket the alias of attendees
 * @param registration the alias of registrations, of the ticket
 */
export function isExchanged(ticket: string, registration: string): string {
  return `CASE WHEN ${ticket}.voided = 1 AND EXISTS (SELECT 1 FROM registrations x
    WHERE x.account_id = ${registration}.account_id AND x.exchanged_for = ${ticket}.id) THEN 1 ELSE 0 END`
}
