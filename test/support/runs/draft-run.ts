import assert from 'node:assert/strict'
import { type Clock, DAY, HOUR } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { callReminders } from '#product/programme/calls/reminder-watch.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { remind } from '#product/programme/calls/telling.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { tellSubmitters } from '#product/programme/submissions/tell.ts'
import { hasUnsent } from '#product/programme/submissions/unsent.ts'
import { insertFile, plainPdf } from '../files.ts'
import { begin, contentOf, draftOf, openCall, saveIn, send } from '../submissions.ts'

/** Reminds of what was not sent, erases an author, and leaves what the cleaning removes. */
export async function remindAuthors(
  db: Database,
  clock: Clock,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const place = { db, clock, accountId, eventId }
  const arrival = { begunAt: clock() }
  const actor = { accountId, who: 'user:1', requestId: null, address: null }
  const status = (to: string) =>
    db.write(accountId, tx => tx.run('UPDATE events SET status = $2 WHERE id = $1', [eventId, to]))
  await status('published')
  await openCall(place)
  const lin = { given: 'Lin', family: 'Mei', orcid: null, affiliations: [0], presenting: true }
  const content = contentOf({ authors: [{ ...lin, email: 'lin@example.org' }] })
  for (const email of ['lin@example.org', 'may@example.org', 'noa@example.org']) {
    const { submission, submitter } = await begin(place, { email })
    await db.write(accountId, tx =>
      insertFile(tx, eventId, { submissionId: submission.id, bytes: plainPdf(100) }),
    )
    if (email.startsWith('noa')) continue
    await send(place, submission.id, content)
    await send(place, submission.id, { ...content, title: 'On doors' })
    await db.write(accountId, async tx => {
      await submissions.requestLink(tx, eventId, { email, networks: [] })
      await submissions.confirm(tx, submitter.id)
      const typed = { 'author.0.email': ['lin@example.org'] }
      await saveIn(tx, submission.id, { ...draftOf(''), typed }, arrival)
      await hasUnsent(tx, submitter.id)
    })
  }
  const {
    opens_at,
    closes_at,
    updated_at: _,
    event_id,
    ...call
  } = await db.read(accountId, tx => calls.get(tx, eventId))
  const again = { ...call, opens_at: Date.parse(opens_at), topics: [], kinds: [] }
  await db.write(accountId, async tx => {
    await calls.put(tx, event_id, { ...again, closes_at: Date.parse(closes_at) + DAY })
    await tx.run('UPDATE calls SET closes_at = $2 WHERE event_id = $1', [eventId, clock() + 12 * HOUR])
    const { id } = (await remind(tx, eventId)) as { id: string }
    const claimed = await jobs.claim(tx, id, null)
    assert.ok(claimed !== undefined)
    const until = Number.MAX_SAFE_INTEGER
    await tellSubmitters.run(tx, { ...claimed.job, input: { ...claimed.job.input, until } }, actor)
    await jobs.stop(tx, id)
  })
  await db.read(INSTANCE, tx => callReminders.list(tx, { closes_at: clock(), event_id: '' }, clock(), 10))
  await erasePerson(db, actor, 'lin@example.org')
  const { submission } = await begin(place)
  await db.write(accountId, tx => sending.withdraw(tx, submission.id))
  await db.write(accountId, tx =>
    tx.run('UPDATE calls SET opens_at = 0, closes_at = $2 WHERE event_id = $1', [
      eventId,
      clock() - 100 * DAY,
    ]),
  )
}
