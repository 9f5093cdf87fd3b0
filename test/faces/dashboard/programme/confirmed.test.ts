import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as emails from '#machinery/mail/rules.ts'
import { tellUnavailable } from '#product/programme/decisions/availability.ts'
import { decideAs, makeCode } from '#test/support/after-decision.ts'
import { startChaired } from '#test/support/chaired.ts'
import { begin, contentOf, send } from '#test/support/submissions.ts'

/** Starts with two accepted abstracts whose authors are asked to confirm, and one that is only submitted. */
async function start(t: TestContext) {
  const at = await startChaired(t)
  const submit = async (title: string) => {
    const { submission } = await begin(at, { email: `${title.toLowerCase()}@example.org` })
    return send(at, submission.id, contentOf({ title }))
  }
  const [one, two, three] = [await submit('One'), await submit('Two'), await submit('Three')]
  const confirm_by = at.clock() + 5 * DAY
  for (const { id } of [one, two]) await decideAs(at, id, undefined, { confirm_by })
  await at.mail.take()
  const pathOf = ({ id }: { id: string }) => `${at.list}/${id}`
  return { ...at, one, two, three, pathOf }
}

test('a chair sees whether an abstract is confirmed, confirms it for its authors, and takes that back', async t => {
  const { member, one, three, pathOf, client, logged } = await start(t)
  const chair = await member('chair')
  assert.doesNotMatch((await chair.open(pathOf(three))).text, /After the decision|Not confirmed/)
  const page = await chair.open(pathOf(one))
  assert.match(
    page.text,
    /After the decision\s*Not confirmed\s*Its authors are asked to confirm until 26 Nov/,
  )
  const done = await page.press('Confirm for the authors')
  assert.match(done.text, /One is confirmed\./)
  assert.match(done.text, /Confirmed on 21 Nov 2026/)
  assert.ok((await client.get(`/abstracts/${one.id}`)).body.confirmed_at !== null)
  // It was confirmed by somebody else meanwhile.
  await page.press('Confirm for the authors')
  const back = await done.press('Take back the confirmation')
  assert.match(back.text, /The confirmation of One is taken back\..*Not confirmed/)
  assert.equal((await client.get(`/abstracts/${one.id}`)).body.confirmed_at, null)
  assert.deepEqual(
    (await logged()).map(({ action, target_id }) => [action, target_id]),
    [
      ['abstract.confirm', one.id],
      ['abstract.unconfirm', one.id],
    ].reverse(),
  )
})

test('what is not accepted is not confirmed, and neither is anything of another event', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const refused = await chair.post(`${at.pathOf(at.three)}/confirm`)
  assert.match(refused.text, /The abstract is not accepted, or not any more\./)
  const { id: otherId } = (at.applied.events as Record<string, { id: string }>).other as { id: string }
  assert.equal((await chair.post(`/manage/e/${otherId}/abstracts/${at.one.id}/confirm`)).status, 404)
  for (const { id } of [at.one, at.three])
    assert.equal((await at.client.get(`/abstracts/${id}`)).body.confirmed_at, null)
})

test('those that are not confirmed have a tab of their own, from which their authors are reminded once a day', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const all = await chair.open(at.list)
  assert.match(all.document.querySelector('nav.tabs')?.textContent ?? '', /Accepted\s*2.*Not confirmed\s*2/)
  const tab = await all.follow('Not confirmed')
  assert.equal(tab.rows().length, 2)
  await (await chair.open(at.pathOf(at.one))).press('Confirm for the authors')
  const fewer = await chair.open(`${at.list}?status=unconfirmed`)
  assert.equal(fewer.rows().length, 1)
  const asked = await fewer.press('Remind those who have not confirmed')
  assert.match(asked.text, /Those of 1 abstract are reminded, unless they were within a day\./)
  await asked.press('Remind those who have not confirmed')
  await at.app.settled('jobs')
  const rows = await at.db.read(at.accountId, tx => emails.list(tx, {}, { limit: 100 }))
  assert.deepEqual(
    rows.filter(({ kind }) => kind === 'abstract_confirm_reminder').map(({ recipient }) => recipient),
    ['two@example.org'],
  )
  await (await chair.open(at.pathOf(at.two))).press('Confirm for the authors')
  const none = await chair.open(at.list)
  assert.doesNotMatch(none.document.querySelector('nav.tabs')?.textContent ?? '', /Not confirmed/)
  const last = await chair.post(`${at.list}/remind`)
  assert.match(last.text, /Nobody is reminded: all have confirmed\./)
})

test('a chair sees the code to register with, whether it is used, and the days on which nobody comes', async t => {
  const at = await start(t)
  const { id } = await makeCode(at)
  await decideAs(at, at.one.id, undefined, { registration_code_id: id })
  await at.db.write(at.accountId, async tx => {
    await tx.run('UPDATE events SET starts_at = $2, ends_at = $3 WHERE id = $1', [
      ...[at.eventId, Date.parse('2026-12-01T09:00:00Z'), Date.parse('2026-12-03T09:00:00Z')],
    ])
    await tellUnavailable(tx, at.one.id, ['2026-12-03', '2026-12-01'])
  })
  const chair = await at.member('chair')
  const page = await chair.open(at.pathOf(at.one))
  assert.match(page.text, /TALK-7F3K/)
  assert.match(page.text, /Cannot be presented on\s*1 Dec 2026(,| and) 3 Dec 2026/)
  assert.match(page.text, /Its authors are not asked to confirm until some day, but can\./)
  await at.db.write(at.accountId, tx => tx.run('UPDATE codes SET used = 1 WHERE id = $1', [id]))
  assert.match((await chair.open(at.pathOf(at.one))).text, /TALK-7F3K \(used\)/)
})
