import assert from 'node:assert/strict'
import { type Clock, DAY } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import { listBegun } from '#product/programme/submissions/begun.ts'
import { edit } from '#product/programme/submissions/edit.ts'
import * as files from '#product/programme/submissions/files.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import * as submitters from '#product/programme/submissions/submitters.ts'
import { inParts, LIMITS, plainPdf } from '../files.ts'
import { addSubmission, askAuthors, begin, contentOf, send } from '../submissions.ts'

type Place = Parameters<typeof begin>[0]

/** Does everything that people do who submit abstracts. */
export async function submitAbstracts(
  db: Database,
  clock: Clock,
  { accountId, eventId, otherId }: { accountId: string; eventId: string; otherId: string },
): Promise<void> {
  const place = { db, accountId, eventId, clock }
  await askAuthors(place)
  await addSubmission(place)
  const { submission, submitter } = await begin(place)
  const { topics, kinds } = await db.read(accountId, tx => calls.get(tx, eventId))
  const chosen = { topic_id: topics[0]?.id ?? null, kind_id: kinds[0]?.id ?? null }
  const { id } = await send(place, submission.id, contentOf(chosen))
  await send(
    place,
    submission.id,
    contentOf({ ...chosen, title: 'On other rooms', answers: { award: 'yes' } }),
  )
  for (const [of, known] of [
    ['submission', submission.id],
    ['submitter', submitter.id],
  ] as const)
    assert.equal(await db.read(INSTANCE, tx => submissions.findAccount(tx, of, known)), accountId)
  await db.read(accountId, async tx => {
    assert.ok((await submissions.findByAbstract(tx, id)) !== undefined)
    assert.equal((await abstracts.listRevisions(tx, id)).length, 2)
    assert.equal((await submissions.listBySubmitter(tx, submitter.id)).length, 2)
  })
  await helpSubmitter(place, submitter.id)
  const request = { email: submitter.email, networks: [] }
  const draft = await begin(place)
  await attachFiles(place, [submission, draft.submission])
  await db.write(accountId, async tx => {
    await submissions.requestLink(tx, eventId, request)
    await submissions.confirm(tx, submitter.id)
    await sending.withdraw(tx, submission.id)
    await sending.reopen(tx, id)
    await edit(tx, id, { content: contentOf(chosen), formulas: null, revision: 2, by: 'user:1' })
    await sending.withdraw(tx, submission.id)
    await sending.withdraw(tx, draft.submission.id)
    await calls.copy(tx, eventId, otherId, instant => instant + DAY)
  })
}

/** Does what chairs do for a person who submits. */
async function helpSubmitter({ db, accountId, eventId, clock }: Place, id: string): Promise<void> {
  const { closes_at } = await db.read(accountId, async tx => {
    await submitters.getOfEvent(tx, eventId, id)
    await listBegun(tx, eventId, { limit: 10 })
    return calls.get(tx, eventId)
  })
  await db.write(accountId, async tx => {
    await submitters.giveTime(tx, id, Math.max(Date.parse(closes_at), clock()) + DAY)
    await submitters.giveTime(tx, id, null)
    await submitters.renewLink(tx, id)
    await submitters.correctEmail(tx, id, 'mei@example.org')
  })
}

/** Puts files beside what was sent and beside a draft, and takes one away. */
async function attachFiles(
  place: Place,
  submitted: readonly { id: string; abstract_id: string | null }[],
): Promise<void> {
  const { db, accountId, eventId, clock } = place
  const arrival = { begunAt: clock() }
  const receiver = new FileReceiver(db)
  for (const { id } of [...submitted, ...submitted]) {
    await db.read(accountId, tx => files.refuseFile(tx, id, arrival))
    await receiver.receive(accountId, {
      ...{ eventId, submissionId: id, name: 'a.pdf', bytes: inParts(plainPdf(100)), limits: LIMITS },
      whenAttached: (tx, file) => files.noteFile(tx, id, file, arrival),
    })
  }
  const [sent] = submitted
  assert.ok(sent !== undefined)
  await db.write(accountId, tx => files.removeFile(tx, sent.id, arrival))
}
