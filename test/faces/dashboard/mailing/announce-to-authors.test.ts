import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { decideAs } from '#test/support/after-decision.ts'
import { startChaired } from '#test/support/chaired.ts'
import { begin, contentOf, send } from '#test/support/submissions.ts'

const TEXT = { Subject: 'News of {event}', Text: 'Hello {name}' }

test('where the event takes abstracts, an announcement goes to those who have not confirmed, whatever tickets are ticked', async t => {
  const at = await startChaired(t)
  const { submission } = await begin(at, { email: 'ada@example.org' })
  const { id } = await send(at, submission.id, contentOf())
  await decideAs(at, id, undefined, { confirm_by: at.clock() + DAY })
  const manager = await at.member('manager')
  const path = `/manage/e/${at.eventId}/messages/announcements`
  const form = await manager.open(`${path}/new`)
  const group = 'Those with an accepted abstract who were asked to confirm, and have not'
  const types = [...form.document.querySelectorAll<HTMLInputElement>('[name=types]')]
  for (const type of types) type.checked = true
  const draft = await form.fill({ ...TEXT, [group]: true }).press('Save the draft')
  assert.match(draft.text, new RegExp(`To${group}(?!:)`))
  const ask = await draft.follow('Send…')
  assert.match(ask.text, /One person gets it\./)
  const named = await (await draft.follow('Edit')).fill({ Text: 'See {ticket}' }).press('Save')
  assert.equal(named.status, 400)
})

test('where it takes none, nobody is offered who submits or reviews, and a chair writes no announcement', async t => {
  const at = await startChaired(t)
  await at.db.write(at.accountId, tx =>
    tx.run('UPDATE events SET takes_abstracts = 0 WHERE id = $1', [at.eventId]),
  )
  const path = `/manage/e/${at.eventId}/messages/announcements/new`
  const { text } = await (await at.member('manager')).open(path)
  assert.match(text, /The waitlist/)
  assert.doesNotMatch(text, /abstract that stands|All reviewers/)
  assert.equal((await (await at.member('chair')).open(path)).status, 403)
})
