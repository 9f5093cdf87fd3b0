import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { ordered } from '#test/product/data-care/organization/ordered.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { PageReader } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'

/** Starts with orders that a file brought: `2345-WXYZ` has two tickets of 25 and a free one. */
async function start(t: TestContext) {
  const server = await startDashboard(t, ordered())
  const { db, eventId } = server
  const idOf = async (table: 'orders' | 'registrations', reference: string) => {
    const found = await db.read(INSTANCE, tx =>
      tx.one<{ id: string }>(`SELECT id FROM ${table} WHERE reference = $1`, [reference]),
    )
    return found?.id as string
  }
  const orderPath = `/manage/e/${eventId}/orders/${await idOf('orders', '2345-WXYZ')}`
  const guestPath = `/manage/e/${eventId}/guests/${await idOf('registrations', 'plain')}`
  const refunds = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ amount: number; status: string; reason: string; note: string | null }>(
        'SELECT amount, status, reason, note FROM refunds ORDER BY created_at, id',
      ),
    )
  const lines = () =>
    db.read(INSTANCE, async tx => {
      const rows = await tx.all<{
        reference: string
        status: string
        refunded_amount: number | null
        good: number
      }>(
        `SELECT r.reference, r.status, r.refunded_amount, (SELECT count(*) FROM attendees a WHERE a.registration_id = r.id
           AND a.voided = 0) AS good FROM registrations r WHERE r.event_id = $1 AND r.reference IN ('a', 'b', 'plain') ORDER BY r.reference`,
        [eventId],
      )
      return rows.map(({ reference, status, refunded_amount, good }) => [
        reference,
        status,
        refunded_amount,
        good,
      ])
    })
  const mails = () =>
    db.read(INSTANCE, tx => tx.all<{ kind: string; recipient: string }>('SELECT kind, recipient FROM emails'))
  return { ...server, orderPath, guestPath, refunds, lines, mails }
}

/** Chooses the second half ticket, and what is paid back. */
async function chooseOne(reader: PageReader, path: string, how = 'What these tickets cost', amount = '') {
  const form = await (await reader.open(path)).follow('Refund…')
  for (const box of form.document.querySelectorAll<HTMLInputElement>('input[name=ticket]'))
    box.checked = false
  const [, second] = form.document.querySelectorAll<HTMLInputElement>('input[name=ticket]')
  ;(second as HTMLInputElement).checked = true
  return form.fill({ [how]: true, Amount: amount }).press('Continue')
}

const UNTOUCHED = [
  ['a', 'confirmed', null, 2],
  ['b', 'confirmed', null, 1],
  ['plain', 'confirmed', null, 1],
]

test('one ticket of an order is refunded: chosen, asked once more with its sum, done once, and shown as owed until it is paid', async t => {
  const { member, orderPath, refunds, lines, mails, db, accountId } = await start(t)
  const finance = await member('finance')
  const confirm = await chooseOne(finance, orderPath)
  assert.equal(confirm.heading, 'Refund the order of Ada?')
  assert.match(confirm.text, /1 ticket becomes void\.\s?1 place is free again\./)
  assert.match(confirm.text, /€25\.00 are to be paid back by hand, as they came by: Recorded by a file/)
  assert.match(confirm.text, /€25\.00 of what was paid are left with you/)
  assert.deepEqual([await refunds(), await lines()], [[], UNTOUCHED], 'nothing is done by looking')

  confirm.fill({ 'Why, for your team only': 'She broke a leg' })
  const body = new URLSearchParams(
    [...confirm.document.querySelectorAll<HTMLInputElement>('form.form [name]')]
      .filter(({ type, checked }) => type !== 'checkbox' || checked)
      .map(({ name, value }) => [name, value]),
  ).toString()
  const action = confirm.document.querySelector('form.form')?.getAttribute('action') as string
  const done = await finance.send(action, body, confirm.path)
  assert.match(done.messages.join(), /Now pay the money back/)
  assert.equal((await finance.send(action, body, confirm.path)).status, 200, 'the same form once more')
  assert.deepEqual(await refunds(), [
    { amount: 2500, status: 'requested', reason: 'organizer', note: 'She broke a leg' },
  ])
  assert.deepEqual((await lines())[0], ['a', 'confirmed', null, 1])
  assert.deepEqual(await mails(), [{ kind: 'order_cancelled', recipient: 'Ada@Example.org' }])

  const page = await finance.open(orderPath)
  assert.match(page.text, /Paid\s?€50\.00.*On its way back, or owed\s?€25\.00\s?Left\s?€25\.00/)
  assert.match(page.text, /To be paid back by hand/)
  const home = await (await member('owner')).open(`/manage/a/${accountId}`)
  assert.match(home.text, /1 refund needs you/)
  const owed = await finance.open(`/manage/a/${accountId}/owed`)
  assert.equal(owed.rows().length, 1)
  assert.match(owed.rows().join(), /Ada · 2345-WXYZ/)
  const paid = await owed.press('I have paid it back: €25.00')
  assert.match(paid.text, /Nothing is owed back/)
  assert.match((await finance.open(orderPath)).text, /Paid back\s?€25\.00/)
  assert.deepEqual(await findDamage(db), [])
})

test('a paid registration without an order is paid back by hand, and nobody is mailed', async t => {
  const { member, guestPath, refunds, lines, mails, db } = await start(t)
  const owner = await member('owner')
  const form = await (await owner.open(guestPath)).follow('Refund…')
  const confirm = await form.press('Continue')
  assert.doesNotMatch(confirm.text, /Tell the buyer/)
  await confirm.press('Refund €50.00')
  assert.deepEqual(
    (await refunds()).map(({ amount, status }) => [amount, status]),
    [[5000, 'requested']],
  )
  assert.deepEqual((await lines())[2], ['plain', 'refunded', 5000, 0])
  assert.deepEqual(await mails(), [])
  assert.deepEqual(await findDamage(db), [])
})

test('a refund that is not to go back after all is dropped, after a page that says what that means, and its money is left again', async t => {
  const { member, orderPath, refunds, lines, mails, db, accountId } = await start(t)
  const finance = await member('finance')
  await (await chooseOne(finance, orderPath)).press('Refund €25.00')
  const mailed = (await mails()).length
  const asks = await (await finance.open(orderPath)).follow('Drop it…: €25.00')
  assert.equal(asks.heading, 'Drop the refund of €25.00?')
  assert.match(asks.text, /no longer owed.*stay void.*The buyer is not mailed/)
  assert.equal((await refunds())[0]?.status, 'requested', 'nothing is done by looking')
  const page = await asks.press('Drop the refund of €25.00')
  assert.match(page.messages.join(), /The refund is dropped/)
  assert.match(page.text, /Left\s?€50\.00/)
  assert.doesNotMatch(page.text, /or owed/)
  assert.match(page.text, /Dropped/)
  assert.doesNotMatch(page.text, /I have paid it back|Drop it/)
  assert.deepEqual((await lines())[0], ['a', 'confirmed', null, 1])
  assert.equal((await mails()).length, mailed)
  assert.match((await finance.open(`/manage/a/${accountId}/owed`)).text, /Nothing is owed back/)
  await asks.press('Drop the refund of €25.00')
  assert.match((await finance.open(asks.path)).text, /This refund is done already/)
  assert.deepEqual(
    (await refunds()).map(({ status }) => status),
    ['dropped'],
  )
  assert.deepEqual(await findDamage(db), [])
})

test('more than is left, and nothing at all, is told on the form with what was typed, and changes nothing', async t => {
  const { member, orderPath, refunds, lines } = await start(t)
  const manager = await member('manager')
  const tooMuch = await chooseOne(manager, orderPath, 'Another amount', '50.01')
  assert.match(tooMuch.messages.join(), /At most €50\.00/)
  assert.equal(tooMuch.field('Amount').value, '50.01')
  const wrong = await chooseOne(manager, orderPath, 'Another amount', 'ten')
  assert.match(wrong.messages.join(), /Amount/)
  const none = await chooseOne(manager, orderPath, 'Another amount')
  assert.match(none.messages.join(), /Fill this in/)
  const form = await manager.open(`${orderPath}/refund?how=nothing`)
  assert.match(form.messages.join(), /Choose tickets, or an amount/)
  const forged = await manager.post(`${orderPath}/refund?how=nothing`, { 'form.seen': '' })
  assert.equal(forged.status, 409)
  assert.deepEqual([await refunds(), await lines()], [[], UNTOUCHED])
})

test('of two members who refund the same, the second is shown how it stands now, and nothing goes back twice', async t => {
  const { member, orderPath, refunds, db } = await start(t)
  const [one, other] = [await member('owner'), await member('finance')]
  const [first, second] = [await chooseOne(one, orderPath), await chooseOne(other, orderPath)]
  await first.press('Refund €25.00')
  const shown = await second.press('Refund €25.00')
  assert.equal(shown.status, 409)
  assert.equal((await refunds()).length, 1)
  assert.deepEqual(await findDamage(db), [])
})

test('a role without the right is refused, and another account and event have no such order; nothing changes', async t => {
  const { member, orderPath, guestPath, refunds, lines, accountId, eventId, applied } = await start(t)
  const door = await member('door')
  for (const path of [`${orderPath}/refund`, `${guestPath}/refund`, `/manage/a/${accountId}/owed`])
    assert.equal((await door.open(path)).status, 403)
  const owner = await member('owner')
  const other = Object.values(applied.events).find(({ id }) => id !== eventId)?.id as string
  assert.equal((await owner.open(`${orderPath.replace(eventId, other)}/refund`)).status, 404)
  const query = '/refund?how=another&amount=10'
  assert.equal((await door.post(orderPath + query, {})).status, 403)
  assert.equal((await owner.post(orderPath.replace(eventId, other) + query, {})).status, 404)
  assert.equal((await owner.post(`/manage/e/${eventId}/refunds/${accountId}/paid-back`)).status, 404)
  assert.deepEqual([await refunds(), await lines()], [[], UNTOUCHED])
})

test('a refund of another event is not there, and a member of one event sees what is owed for that alone', async t => {
  const { member, orderPath, accountId, eventId, applied, refunds } = await start(t)
  const owner = await member('owner')
  await (await chooseOne(owner, orderPath)).press('Refund €25.00')
  const other = Object.values(applied.events).find(({ id }) => id !== eventId)?.id as string
  const elsewhere = await member('finance', { email: 'else@example.org', eventIds: [other] })
  assert.match((await elsewhere.open(`/manage/a/${accountId}/owed`)).text, /Nothing is owed back/)
  const owed = await owner.open(`/manage/a/${accountId}/owed`)
  const action = owed.document.querySelector('form[action*=paid-back]')?.getAttribute('action') as string
  assert.equal((await owner.post(action.replace(eventId, other))).status, 404)
  assert.deepEqual(
    (await refunds()).map(({ status }) => status),
    ['requested'],
  )
})

test('in Spanish, the form and the question say the same', async t => {
  const { member, orderPath } = await start(t)
  const reader = await member('owner', { language: 'es' })
  const form = await (await reader.open(orderPath)).follow('Devolver…')
  const confirm = await form.press('Continuar')
  assert.match(confirm.text, /Se anulan 3 entradas\.\s?3 plazas quedan libres\./)
  assert.match(confirm.text, /Hay que devolver 50,00 € a mano/)
  assert.match((await confirm.press('Devolver 50,00')).text, /Por devolver a mano/)
})

test('an event is cancelled and everybody refunded: somebody chooses, sees the exact sum before, and the job says what came of it', async t => {
  const { app, member, eventId, lines, refunds, mails, db } = await start(t)
  const owner = await member('owner')
  const confirmation = await owner.open(`/manage/e/${eventId}/cancel`)
  assert.match(confirmation.text, /if you refund everybody, €100\.00 go back/)
  const unsaid = await confirmation.press('Cancel the event')
  assert.equal(unsaid.status, 422, 'nobody refunds by oversight, nor forgets to')
  assert.deepEqual([await refunds(), await lines()], [[], UNTOUCHED])
  const began = await unsaid.fill({ 'Refund everybody': true }).press('Cancel the event')
  const done = await onceSettled({ app }, 'jobs', 'the end of the job', async () => {
    const page = await owner.open(began.path)
    return /Done/.test(page.text) && page
  })
  assert.match(done.heading, /Refunding everybody/)
  assert.match(done.text, /Refunds that are to be paid back by hand\s?2/)
  assert.deepEqual((await refunds()).map(({ amount, reason }) => [amount, reason]).sort(), [
    [5000, 'event_cancelled'],
    [5000, 'event_cancelled'],
  ])
  assert.deepEqual(await lines(), [
    ['a', 'refunded', 5000, 0],
    ['b', 'cancelled', null, 0],
    ['plain', 'refunded', 5000, 0],
  ])
  const sent = await mails()
  assert.equal(sent.filter(({ kind }) => kind === 'refund').length, 1)
  assert.ok(sent.some(({ kind }) => kind === 'event_cancelled'))
  assert.deepEqual(await findDamage(db), [])
})

test('an event that is only cancelled keeps its tickets and its money', async t => {
  const { member, eventId, lines, refunds } = await start(t)
  const manager = await member('manager')
  const confirmation = await manager.open(`/manage/e/${eventId}/cancel`)
  await confirmation
    .fill({ 'Only cancel': true, 'Tell those who registered': false })
    .press('Cancel the event')
  assert.deepEqual([await refunds(), await lines()], [[], UNTOUCHED])
})
