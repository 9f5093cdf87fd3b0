import { newUuid } from '#base/ids.ts'
import { HOUR } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as store from './pacing-store.ts'
import * as emails from './rules.ts'
import { MAX_MAIL_DELAY } from './schedule.ts'

/**
 * Strangers can set off mails to addresses that may not be theirs. Such mails go out at so many an hour for each network they
 * come from, and the next ones wait for their turn. If a hall full of people registers at once, some get their mails later. And
 * somebody who wants a thousand others mailed reaches a few.
 */
export type Pace = store.SlotRow['pace']

/**
 * How many orders an hour of one network have their mails sent at once: those that mail their buyer, those of which others hold
 * tickets and that nobody has confirmed, and those for which the buyer has confirmed that others shall be mailed.
 */
const MOST: Readonly<Record<Pace, number>> = { buyers: 60, others: 5, confirmed: 20 }

/** A wider network holds many, so its limit is this many times that of a narrow one. */
const WIDER = 4

export const WINDOW = HOUR

/** The most mails of one subject to look at. */
const MOST_LOOKED_AT = 20

/** The mails that want a turn. */
export interface PacedMails {
  /** The hashes of the networks, the narrowest first. */
  networks: readonly string[]
  paces: readonly Pace[]
  /** The subject of the mails. */
  subjectId: string
}

/**
 * Takes the next turn of all of these networks and paces.
 *
 * @returns when it comes, in milliseconds of the clock. If that is more than a day away, it is undefined and nothing is taken
 */
export async function reserveSlot(
  tx: WriteTx,
  { networks, paces, subjectId }: PacedMails,
): Promise<number | undefined> {
  const now = tx.clock()
  const wanted = networks.flatMap((network, at) =>
    paces.map(pace => ({
      of: { account_id: tx.accountId, network, pace },
      most: MOST[pace] * (at === 0 ? 1 : WIDER),
    })),
  )
  let due = now
  for (const { of, most } of wanted) {
    await store.removeOver(tx, of, { before: now - WINDOW, now })
    const later = await store.findLater(tx, of, most - 1)
    if (later !== undefined) due = Math.max(due, later.due_at + WINDOW)
  }
  if (due - now > MAX_MAIL_DELAY) return undefined
  const written = await tx.now()
  for (const { of } of wanted) {
    const row = { id: newUuid(), ...of, subject_id: subjectId, due_at: due, created_at: now }
    await store.insert(tx, row, written)
  }
  return due
}

/** Gives back the turn of a pace that a subject had taken. The next subject has it now, and its mails are sent soon. */
export async function releaseSlot(
  tx: WriteTx,
  { networks, pace, subjectId }: Omit<PacedMails, 'paces'> & { pace: Pace },
): Promise<void> {
  const now = tx.clock()
  const all = networks.map(network => ({ account_id: tx.accountId, network, pace }))
  const [narrowest] = all
  if (narrowest === undefined) return
  let given = 0
  for (const of of all) given += await store.removeOf(tx, of, subjectId)
  const next = given === 0 ? undefined : await store.findNext(tx, narrowest, now)
  if (next === undefined) return
  const { subject_id: id } = next
  for (const of of all) await store.setDue(tx, of, { subjectId: id, due: now }, await tx.now())
  const waiting = await emails.list(tx, { subjectId: id }, { limit: MOST_LOOKED_AT })
  for (const mail of waiting) if (mail.status === 'waiting') await emails.retry(tx, mail.id)
}
