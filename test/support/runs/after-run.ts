import assert from 'node:assert/strict'
import { type Clock, DAY } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import { listToRemind } from '#product/programme/abstracts/after.ts'
import { countUnconfirmed, findNeighbours, listOfEvent } from '#product/programme/abstracts/of-event.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { readAfter } from '#product/programme/decisions/author-view.ts'
import { daysOf, tellUnavailable } from '#product/programme/decisions/availability.ts'
import { remind } from '#product/programme/decisions/confirm-reminders.ts'
import { confirm, unconfirm } from '#product/programme/decisions/confirming.ts'
import { changePresenter } from '#product/programme/decisions/presenter-change.ts'
import { remindingUnconfirmed, remindUnconfirmed } from '#product/programme/decisions/remind-unconfirmed.ts'
import { reopen, withdraw } from '#product/programme/decisions/withdrawing.ts'
import { decideAs, makeCode } from '../after-decision.ts'
import { begin, contentOf, openCall, send } from '../submissions.ts'

/** Does everything that authors and chairs do once an abstract is decided. */
export async function goOnAfterDecision(
  db: Database,
  clock: Clock,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const place = { db, accountId, eventId, clock }
  await openCall(place, { per_person: 50 })
  const { submission } = await begin(place, { email: 'after@example.org' })
  const { id } = await send(place, submission.id, contentOf())
  const code = await makeCode(place, 'AFTER-1')
  const terms = { confirm_by: clock() + DAY / 2, comments_told_at: clock(), registration_code_id: code.id }
  await decideAs(place, id, undefined, terms)
  await lookAt(place, id)
  await db.write(accountId, async tx => {
    await tx.run('UPDATE abstracts SET decided_at = $3 WHERE account_id = $1 AND id = $2', [
      ...[tx.accountId, id, clock() - 4 * DAY],
    ])
    assert.equal(await remind(tx, id), true)
    assert.equal(await remind(tx, id), false)
  })
  await db.write(accountId, tx => remindUnconfirmed(tx, eventId, 'cli'))
  const all = await db.read(accountId, tx => jobs.list(tx, { limit: 1 }, eventId))
  for (const { resource } of all) await runHere(db, accountId, resource.id, remindingUnconfirmed)
  await db.write(accountId, async tx => {
    await changePresenter(tx, submission.id, { at: 1, revision: 1 })
    await tellUnavailable(
      tx,
      id,
      daysOf({ starts_at: '2026-12-01T09:00:00Z', ends_at: null, timezone: 'UTC' }),
    )
    assert.ok((await confirm(tx, id)) !== undefined)
    assert.ok((await unconfirm(tx, id)) !== undefined)
    await withdraw(tx, submission.id)
    await reopen(tx, id)
  })
}

async function lookAt(
  { db, accountId, eventId, clock }: Parameters<typeof openCall>[0],
  id: string,
): Promise<void> {
  await db.read(accountId, async tx => {
    await readAfter(tx, await getSubmitted(tx, id))
    assert.ok((await countUnconfirmed(tx, eventId)) >= 1)
    const wanted = { event_id: eventId, state: 'unconfirmed' } as const
    const { rows } = await listOfEvent(tx, wanted, { limit: 1 })
    await listOfEvent(tx, wanted, { limit: 1, after: rows[0]?.position })
    await findNeighbours(tx, wanted, id)
  })
  const time = { now: clock(), until: clock() + DAY }
  assert.ok((await db.read(INSTANCE, tx => listToRemind(tx, undefined, time, 10))).length >= 1)
}
