import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { TELL, type Telling } from '#product/programme/calls/telling.ts'
import { extendedMail, reminderMail } from './kinds.ts'
import * as tellStore from './tell-store.ts'
import { isUnsent } from './unsent.ts'

/** The most drafts of a batch. */
const BATCH = 20

const kinds = { [reminderMail.name]: reminderMail, [extendedMail.name]: extendedMail } as const

/**
 * Writes to those who have not sent all that they have typed. Each gets one mail, whatever crashes. It ends once the call has another
 * deadline, of which another job tells.
 */
export const tellSubmitters: JobKind = {
  name: TELL,
  async run(tx, { event_id: eventId, input, position, done: before }) {
    const telling = input as Telling
    const deadline = performance.now() + tx.batchTime
    const last = position === null ? undefined : (JSON.parse(position) as tellStore.Told)
    // Nobody is told of an event that is being deleted.
    const known = await events.findId(tx, eventId ?? '')
    const call = known === undefined ? undefined : await calls.find(tx, known)
    const isSame = call !== undefined && Date.parse(call.closes_at) === telling.closes_at
    const some = isSame ? await tellStore.listWithDraft(tx, call.event_id, last, BATCH) : []
    const due = some.filter(({ created_at }) => created_at <= telling.until)
    let [at, done] = [0, before]
    for (; at < due.length && (at === 0 || performance.now() < deadline); at++) {
      if (await write(tx, due[at] as tellStore.WithDraftRow, telling)) done++
    }
    const { created_at, id } = due[at - 1] ?? last ?? { created_at: 0, id: '' }
    const finished = at === due.length && due.length < BATCH
    return { position: JSON.stringify({ created_at, id }), done, finished }
  },
}

/** @returns whether somebody gets a mail who did not have it */
async function write(
  tx: WriteTx,
  row: tellStore.WithDraftRow,
  { kind, cause, closes_at }: Telling,
): Promise<boolean> {
  const { event_id: eventId, submitter_id: subjectId, email: recipient, language } = row
  if (!(await isUnsent(tx, row))) return false
  return queue(tx, kinds[kind], {
    ...{ cause, recipient, language, eventId, subjectId },
    details: { closes_at },
  })
}
