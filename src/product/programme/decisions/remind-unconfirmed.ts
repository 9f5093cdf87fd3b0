import { HOUR } from '#base/time.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { listUnconfirmed } from '#product/programme/abstracts/after.ts'
import { countUnconfirmed } from '#product/programme/abstracts/of-event.ts'
import { write } from './confirm-reminders.ts'

/** Names the kind of the job that reminds all who have not confirmed, as a chair asks. */
const REMIND = 'decisions.remind'
/** The most abstracts of a batch. */
const BATCH = 20
/** Nobody is reminded more often, in milliseconds. */
const REMINDED = 20 * HOUR

/**
 * Starts a job that reminds all who were asked to confirm, and have not.
 *
 * @param by the actor's name in the access log
 * @returns how many abstracts that is. Nobody is reminded of one twice within a day
 */
export async function remindUnconfirmed(tx: WriteTx, eventId: string, by: string): Promise<number> {
  const total = await countUnconfirmed(tx, eventId)
  if (total === 0) return 0
  const input = { turn: Math.floor(tx.clock() / REMINDED) }
  await jobs.start(tx, { kind: REMIND, eventId, input, total, by })
  return total
}

/** Writes to those who have not confirmed by the time of each batch, once each, whatever crashes. */
export const remindingUnconfirmed: jobs.JobKind = {
  name: REMIND,
  permission: 'abstracts',
  async run(tx, { event_id: eventId, input, position, done: before }) {
    const { turn } = input as { turn: number }
    const deadline = performance.now() + tx.batchTime
    const last = position === null ? undefined : (JSON.parse(position) as Position)
    const known = await events.findId(tx, eventId ?? '')
    const some = known === undefined ? [] : await listUnconfirmed(tx, known, last, BATCH)
    let [at, done] = [0, before]
    for (; at < some.length && (at === 0 || performance.now() < deadline); at++) {
      const id = some[at]?.id as string
      if (await write(tx, { id, cause: `${id} asked ${turn}` })) done++
    }
    const after = some[at - 1]?.position ?? last
    const finished = at === some.length && some.length < BATCH
    return { position: after === undefined ? null : JSON.stringify(after), done, finished }
  },
}
