import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import { type Id, type Rule, rule } from './store.ts'

const LINES = 'registrations r ON r.account_id = o.account_id AND r.order_id = o.id'

/** Lists the rules of what must not be found in orders and their registrations, with the sentence for each. */
export const orderRules: readonly Rule<never>[] = [
  rule<Id & { total: number; lines: number; sum: number }>(
    `SELECT o.id, o.amount_total AS total, count(r.id) AS lines, coalesce(sum(r.amount_total), 0) AS sum FROM orders o
     LEFT JOIN ${LINES} WHERE ${ofKeptEvent('o')} GROUP BY o.id HAVING count(r.id) = 0 OR o.amount_total <> coalesce(sum(r.amount_total), 0)`,
    ({ id, total, lines, sum }) =>
      lines === 0
        ? `order ${id} has no registration`
        : `order ${id} says ${total} in all, and its registrations say ${sum}`,
  ),
  rule<Id>(
    `SELECT r.id FROM registrations r LEFT JOIN orders o ON o.id = r.order_id
     WHERE r.order_id IS NOT NULL AND (o.id IS NULL OR o.event_id <> r.event_id OR o.account_id <> r.account_id)`,
    ({ id }) => `registration ${id} is of an order that its event does not have`,
  ),
  rule<Id & { status: string; order_status: string }>(
    `SELECT r.id, r.status, o.status AS order_status FROM orders o JOIN ${LINES} WHERE NOT (
       (o.status = 'confirmed' AND r.status IN ('confirmed', 'cancelled', 'refunded'))
       OR (o.status <> 'confirmed' AND r.confirmed_at IS NULL AND r.status IN (o.status, 'cancelled')))`,
    ({ id, status, order_status }) =>
      `registration ${id} is ${status}, and does not go with its order, which is ${order_status}`,
  ),
  rule<Id>(
    'SELECT o.id FROM orders o JOIN events e ON e.id = o.event_id WHERE o.currency <> e.currency',
    ({ id }) => `order ${id} is in another currency than its event`,
  ),
  rule<Id>(
    `SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id WHERE CASE
       WHEN r.order_id IS NULL THEN a.price IS NOT NULL OR a.discount IS NOT NULL OR a.tax IS NOT NULL OR a.tax_basis_points IS NOT NULL
       ELSE a.price IS NULL OR a.discount IS NULL OR a.tax IS NULL OR a.tax_basis_points IS NULL OR a.discount > a.price OR a.tax > a.price - a.discount END`,
    ({ id }) => `ticket ${id} has no price that goes with its order, or one without an order`,
  ),
  rule<Id & { subtotal: number; total: number; full: number; off: number }>(
    `SELECT r.id, r.amount_subtotal AS subtotal, r.amount_total AS total, sum(a.price) AS full, sum(a.discount) AS off
     FROM orders o JOIN ${LINES} JOIN attendees a ON a.registration_id = r.id GROUP BY r.id
     HAVING r.amount_subtotal <> sum(a.price) OR r.amount_total <> sum(a.price) - sum(a.discount)`,
    ({ id, subtotal, total, full, off }) =>
      `registration ${id} says ${subtotal}, and ${total} to pay, and its tickets say ${full} and ${full - off}`,
  ),
  rule<Id & { ticket: string }>(
    `SELECT r.id, r.exchanged_for AS ticket FROM registrations r LEFT JOIN attendees a ON a.id = r.exchanged_for
     LEFT JOIN registrations f ON f.id = a.registration_id AND f.account_id = r.account_id AND f.order_id = r.order_id
     WHERE r.exchanged_for IS NOT NULL AND (f.id IS NULL OR f.id = r.id OR a.voided = 0 OR r.quantity <> 1 OR r.amount_total <> 0)`,
    ({ id, ticket }) =>
      `registration ${id} took the place of ticket ${ticket}, which is valid or not of its order, or it has more tickets or a price`,
  ),
  rule<Id & { beside: string }>(
    `SELECT r.id, r.beside FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
     LEFT JOIN registrations f ON f.id = r.beside AND f.account_id = r.account_id AND f.event_id = r.event_id
     LEFT JOIN registration_types k ON k.id = f.registration_type_id
     WHERE r.beside IS NOT NULL AND (k.id IS NULL OR k.kind = 'extra' OR t.kind <> 'extra' OR f.beside IS NOT NULL
       OR r.order_id IS NOT NULL OR f.order_id IS NOT NULL)`,
    ({ id, beside }) =>
      `registration ${id} stands beside ${beside}, which is no ticket of its event, or it is no extra, or one of them has an order`,
  ),
  rule<Id>(
    `SELECT w.id FROM waitlist_entries w LEFT JOIN orders o ON o.id = w.order_id
     WHERE w.order_id IS NOT NULL AND (o.id IS NULL OR o.event_id <> w.event_id OR o.account_id <> w.account_id
       OR (o.status = 'pending' AND w.notified_at IS NULL))`,
    ({ id }) =>
      `entry ${id} of a waitlist has an order that is missing, of another event, or held while it waits`,
  ),
]
