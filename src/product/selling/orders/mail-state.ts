import { MINUTE, toIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { networksOf } from './pace.ts'
import type { Order } from './schemas.ts'

/**
 * The state of the mail to a buyer. It is undefined if the mail was sent or is sent soon, `later` if it waits for its turn, and
 * `none` if so many mails wait that it is not sent.
 */
export type BuyerMailState = { state: 'later'; at: string } | { state: 'none' } | undefined

/** How many mails of one order this file looks through. */
const MOST_LOOKED_AT = 20
/** Buyers are told of no shorter wait than this, in milliseconds. It is longer than the lease of a mail that is being sent. */
export const SOON = 15 * MINUTE

/** Returns the state of the mail of an order that is not verified. @param now milliseconds of the clock */
export async function readMailState(
  tx: ReadTx,
  { id, status, waits_for, verified_at }: Order,
  now: number,
): Promise<BuyerMailState> {
  const isNotified = status === 'confirmed' || waits_for === 'approval'
  if (verified_at !== null || !isNotified) return undefined
  const mails = await emails.list(tx, { subjectId: id }, { limit: MOST_LOOKED_AT })
  // The mails of an old or imported order are unknown. Such an order has no networks, so its mail did not wait for others.
  if (mails.length === 0) return (await networksOf(tx, id)).length > 0 ? { state: 'none' } : undefined
  const isSoon = mails.some(
    ({ next_attempt_at: next, attempts }) => next === null || attempts > 0 || next - now < SOON,
  )
  if (isSoon) return undefined
  return {
    state: 'later',
    at: toIso(Math.min(...mails.map(({ next_attempt_at }) => next_attempt_at ?? now))),
  }
}
