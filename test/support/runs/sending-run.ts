import assert from 'node:assert/strict'
import { DAY } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { previewDecision } from '#product/programme/decisions/mails.ts'
import * as sending from '#product/programme/decisions/sending.ts'
import type { SendingInput } from '#product/programme/decisions/sending-schemas.ts'
import { proposeFor } from '../reviews.ts'

/** Proposes decisions about two abstracts, takes one back, stops a sending, and sends what is left, twice. */
export async function sendDecisions(
  place: { db: Database; accountId: string; eventId: string; clock: () => number },
  [first, second]: readonly [string, string],
): Promise<void> {
  const { db, accountId, eventId, clock } = place
  const input: SendingInput = {
    ...{ comments: true, presenters: true, confirm_by: clock() + 14 * DAY, language: 'en' },
    code: { percent: 100, registration_type_ids: null, valid_until: null },
  }
  for (const abstract_id of [first, second]) await proposeFor(place, abstract_id)
  const order = (changes: Partial<sending.NewSending> = {}) =>
    db.write(accountId, tx => sending.send(tx, eventId, { input, except: [], by: 'cli', ...changes }))
  const { id } = await order({ except: [second], notBefore: clock() + DAY })
  await db.write(accountId, async tx => {
    assert.equal((await proposals.listOfJob(tx, id, 10)).length, 1)
    await sending.stop(tx, eventId, id)
    await proposals.takeBack(tx, eventId, second)
  })
  await runHere(db, accountId, (await order()).id, sending.sendDecisions)
  await proposeFor(place, first, { decision: 'rejected' })
  await runHere(db, accountId, (await order()).id, sending.sendDecisions)
  await proposeFor(place, first)
  const job = await runHere(db, accountId, (await order()).id, sending.sendDecisions)
  assert.equal(job.state, 'done')
  await db.read(accountId, async tx => {
    await previewDecision(tx, await getSubmitted(tx, first), 'accepted', 'en')
    assert.equal((await sending.listSendings(tx, eventId)).length, 4)
  })
}
