import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import {
  payableAtDoorUntil,
  payableUntil,
  reservedAfterSession,
  reservedForAnswer,
  reservedForSession,
  SESSION_LASTS,
} from '#product/selling/orders/reservation-time.ts'

const NOW = Date.parse('2027-01-10T12:00:00Z')
const event = {
  ...{ starts_at: '2027-02-01T09:00:00Z', ends_at: '2027-02-02T18:00:00Z' },
  ...{ payment_days: 7, waitlist_hours: 24 },
}

test('places that are paid at a processor are held for 35 minutes: the 32 of its session, and 3 after it', () => {
  assert.equal(SESSION_LASTS, 32 * MINUTE)
  assert.equal(reservedForSession(NOW), NOW + 35 * MINUTE)
  assert.equal(reservedAfterSession(NOW + SESSION_LASTS), reservedForSession(NOW))
})

test('a transfer has the event’s days, and no longer than the event; nothing is due before now', () => {
  assert.equal(payableUntil(event, NOW), NOW + 7 * DAY)
  const end = Date.parse(event.ends_at)
  assert.equal(payableUntil(event, end - DAY), end)
  assert.equal(payableUntil(event, end + DAY), end + DAY)
})

test('what is paid at the door is held until the event is over, and for the event’s days while it has no date', () => {
  const end = Date.parse(event.ends_at)
  assert.equal(payableAtDoorUntil(event, NOW), end)
  assert.equal(payableAtDoorUntil(event, end + DAY), end + DAY)
  assert.equal(payableAtDoorUntil({ ...event, starts_at: null, ends_at: null }, NOW), NOW + 7 * DAY)
})

test('an offer holds for the event’s hours, and not longer than the sale or the event', () => {
  assert.equal(reservedForAnswer(event, { sales_end: null }, NOW), NOW + 24 * HOUR)
  const sales_end = '2027-01-10T15:00:00Z'
  assert.equal(reservedForAnswer(event, { sales_end }, NOW), Date.parse(sales_end))
  const end = Date.parse(event.ends_at)
  assert.equal(reservedForAnswer(event, { sales_end: null }, end - HOUR), end)
})
