import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as pacing from '#machinery/mail/pacing.ts'
import type { Order } from './schemas.ts'
import * as store from './store.ts'

type Paced = Pick<Order, 'id' | 'verified_at'>

/** Returns the hashed networks that an order came from. A verified order has none, nor does one whose mails are not counted. */
export async function networksOf(tx: ReadTx, id: string): Promise<string[]> {
  const from = (await store.find(tx, id))?.placed_from ?? null
  return from === null ? [] : from.split(' ')
}

/**
 * Reserves a time for a mail that somebody sends to an address of which nobody knows whether it is theirs.
 *
 * @param paces the paces that the mail counts for
 * @returns milliseconds of the clock; undefined if so many mails of its networks wait that it is not sent by itself
 */
export async function whenToMail(
  tx: WriteTx,
  { id, verified_at }: Paced,
  paces: readonly pacing.Pace[] = ['buyers'],
): Promise<number | undefined> {
  const networks = verified_at === null ? await networksOf(tx, id) : []
  return networks.length === 0 ? tx.clock() : pacing.reserveSlot(tx, { networks, paces, subjectId: id })
}

/** Stops counting an order among the unconfirmed ones. The next waiting mail of its network takes its place. */
export async function endUnconfirmed(tx: WriteTx, { id }: Paced): Promise<void> {
  const networks = await networksOf(tx, id)
  await pacing.releaseSlot(tx, { networks, pace: 'others', subjectId: id })
}
