import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { startSale } from '#test/support/people/sale.ts'
import { openCall } from '#test/support/submissions.ts'

/** A call that opens in a week. */
async function start(t: TestContext, changes: Parameters<typeof openCall>[1] = {}) {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const at = (days: number) => sale.clock() + days * DAY
  await openCall(sale, { opens_at: at(7), closes_at: at(21), topics: ['Rooms'], ...changes })
  const count = () =>
    sale.db.read(
      INSTANCE,
      async tx => (await tx.one<{ n: number }>('SELECT count(*) AS n FROM submissions'))?.n,
    )
  return { ...sale, count, list: `/manage/e/${sale.eventId}/abstracts` }
}

test('whoever manages the event sees the page of the call and its form before it opens, and can save nothing', async t => {
  const { member, list, eventId, count } = await start(t)
  for (const role of ['owner', 'manager', 'chair'] as const) {
    const options = role === 'owner' ? {} : { email: `${role}@example.org`, eventIds: [eventId] }
    const one = await member(role, options)
    const page = await (await one.open(list)).follow('See what authors will see')
    assert.match(page.text, /This is a preview\..*Nothing can be saved here\./s, role)
    assert.match(page.text, /Deadline/)
    const form = await page.follow('Begin an abstract')
    assert.match(form.text, /Nothing can be saved here\./)
    assert.ok(form.field('Topic'))
    // No control of the form can be used, whatever the browser.
    const controls = [
      ...form.document.querySelectorAll('main form button, main form input, main form select'),
    ]
    assert.ok(controls.length > 10)
    assert.ok(controls.every(each => each.closest('fieldset[disabled]') !== null))
    assert.equal(form.document.querySelector('[name="form.shown"], [name="form.id"]'), null)
    assert.equal((await form.follow('Back to the abstracts')).path, list)
  }
  assert.equal(await count(), 0)
})

test('everybody else gets with that address what they get without it', async t => {
  const { member, visitor, path, eventId } = await start(t)
  const door = await member('door', { email: 'door@example.org', eventIds: [eventId] })
  for (const one of [visitor(), door]) {
    for (const page of ['abstracts', 'abstracts/new']) {
      const seen = await one.open(`${path}${page}?preview=1`)
      assert.match(seen.text, /Abstracts are taken from/)
      assert.doesNotMatch(seen.text, /preview|Begin an abstract/)
      assert.equal(seen.document.querySelector('[name="title"]'), null)
    }
  }
})

test('what is sent to the form of a call that is not open is refused, also by a member', async t => {
  const { member, path, count, clock } = await start(t)
  const owner = await member('owner')
  const form = await owner.open(`${path}abstracts/new?preview=1`)
  clock.advance(DAY / 24)
  for (const each of form.document.querySelectorAll('fieldset[disabled]')) each.removeAttribute('disabled')
  const sent = await form.fill({ 'Your name': 'Lin Mei', 'Your e-mail': 'lin@example.org' }).press('Save')
  assert.ok(sent.status >= 400)
  assert.equal(await count(), 0)
})

const OPEN = { opens_at: Date.parse('2026-11-01T00:00:00Z') }

test('once authors have the pages of a call, members see what they see', async t => {
  const { member, list, path } = await start(t, OPEN)
  const owner = await member('owner')
  assert.doesNotMatch((await owner.open(list)).text, /See what authors will see/)
  const page = await owner.open(`${path}abstracts?preview=1`)
  assert.doesNotMatch(page.text, /This is a preview/)
  assert.match(page.text, /Begin an abstract/)
})

test('of a draft, members see the pages that its publication will open', async t => {
  const { member, db, accountId, eventId, list } = await start(t, OPEN)
  const owner = await member('owner')
  await db.write(accountId, tx =>
    tx.run("UPDATE events SET status = 'draft' WHERE account_id = $1 AND id = $2", [accountId, eventId]),
  )
  const page = await (await owner.open(list)).follow('See what authors will see')
  assert.match(page.text, /once the event is published/)
})
