import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newUuid } from '#base/ids.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { findAccess, findStripe, note } from '#product/selling/payments/connections.ts'
import { findBank } from '#product/selling/payments/methods.ts'
import * as orphans from '#product/selling/payments/orphan-payments.ts'
import * as store from '#product/selling/payments/store.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'
import { ACCOUNT, KEY } from '#test/support/stripe/stripe-connection.ts'

async function start(t: TestContext, testPayments = true) {
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: ACCOUNT })
  const settings = testPayments ? { testPayments, stripeApi: standIn.origin } : {}
  const server = await startDashboard(t, organization(), { settings })
  const { accountId, db } = server
  const owner = await server.member('owner')
  const list = `/manage/a/${accountId}/payments`
  const connect = async (key = KEY) =>
    (await owner.open(`${list}/stripe`)).fill({ 'Restricted key': key }).press('Connect')
  const connected = () => db.read(accountId, tx => findStripe(tx))
  const bank = () => db.read(accountId, tx => findBank(tx))
  return { ...server, standIn, owner, list, connect, connected, bank }
}

test('Stripe is connected by pasting a key, shown with its mode, and the key is in no page and no log afterwards', async t => {
  const { owner, list, connect, connected, db, accountId, log } = await start(t)
  const empty = await owner.open(list)
  assert.match(empty.text, /for rehearsals.*moves no money.*No card ever reaches this server/)
  const form = await empty.follow('Connect Stripe')
  assert.match(form.text, /Checkout Sessions: Write/)
  const made = await connect()
  assert.match(made.messages.join(), /Stripe is connected: acct_organizer/)
  assert.match(made.text, /Test No money moves\./)
  assert.match(made.text, /rk_test_…1234/)
  assert.match(made.text, /Stripe is asked every minute/)
  assert.equal((await connected())?.account, ACCOUNT)
  const entries = await db.read(accountId, tx => accessLog.list(tx, 10))
  assert.equal(entries[0]?.action, 'payment_connection.connect')
  const kept =
    made.html + (await owner.open(`${list}/stripe`)).html + JSON.stringify(entries) + JSON.stringify(log)
  assert.ok(!kept.includes(KEY))
})

test('a key that cannot be taken is told why, is not shown again, and changes nothing', async t => {
  const { connect, standIn, connected } = await start(t)
  const refused = async (key: string, sentence: RegExp) => {
    const page = await connect(key)
    assert.match(page.text, sentence)
    assert.ok(!page.html.includes(key))
    assert.equal(await connected(), undefined)
  }
  await refused('sk_live_organizer1234', /may do everything/)
  await refused('pk_live_organizer1234', /no restricted key/)
  await refused(`rk_live_${'x'.repeat(900)}`, /no restricted key/)
  await refused('rk_test_nobodysentthis', /does not know this key/)
  await standIn.addKey('rk_test_weak12345', {
    account: ACCOUNT,
    permissions: [
      'event_read',
      'connected_account_read',
      'checkout_session_write',
      'payment_intent_read',
      'balance_read',
    ],
  })
  await refused(
    'rk_test_weak12345',
    /lacks permissions.*Charges and Refunds: Write \(charge_write\); Disputes: Read \(dispute_read\)\./,
  )
  await standIn.down()
  await refused(KEY, /Stripe does not answer/)
})

test('a test key is taken only where the server takes test payments', async t => {
  const { connect, connected } = await start(t, false)
  assert.match((await connect()).text, /test key, and takes no money/)
  assert.equal(await connected(), undefined)
})

test('another key of the same account takes the place of the first; one of another account is refused until that is removed', async t => {
  const { connect, standIn, connected, owner, list, db, accountId, applied } = await start(t)
  await connect()
  await standIn.addKey('rk_test_second9876', { account: ACCOUNT })
  assert.match((await connect('rk_test_second9876')).messages.join(), /is connected/)
  assert.equal((await connected())?.last_four, '9876')
  await standIn.addKey('rk_test_elsewhere1111', { account: 'acct_elsewhere' })
  assert.match((await connect('rk_test_elsewhere1111')).text, /of another Stripe account/)
  assert.deepEqual([(await connected())?.account, (await connected())?.last_four], [ACCOUNT, '9876'])
  const paymentId = newUuid()
  await db.write(accountId, async tx => {
    await store.insert(tx, {
      ...{ id: paymentId, account_id: accountId, event_id: applied.events['spring-meeting']?.id as string },
      ...{ order_id: newUuid(), method: 'stripe', status: 'pending', currency: 'EUR', amount: 100 },
      ...{ received: null, reference: null, session_id: null, charge_id: null, call: null, url: null },
      ...{ expires_at: null, next_look_at: null, looks: 0, trouble: null, ended_at: null },
      next_method: null,
      back: null,
      created_at: await tx.now(),
    })
  })
  assert.match((await owner.open(`${list}/stripe/disconnect`)).text, /A payment or refund is under way/)
  const forced = await owner.post(`${list}/stripe/disconnect`, {})
  assert.match(forced.text, /under way/)
  assert.notEqual(await connected(), undefined)
  await db.write(accountId, tx => tx.run('DELETE FROM payments WHERE id = $1', [paymentId]))
  const gone = await (await owner.open(`${list}/stripe/disconnect`)).press('Disconnect Stripe')
  assert.match(gone.messages.join(), /Stripe is disconnected/)
  assert.equal(await db.read(accountId, tx => findAccess(tx)), undefined)
  assert.match((await connect('rk_test_elsewhere1111')).messages.join(), /acct_elsewhere/)
})

test('a key that Stripe refuses, and events that nobody has seen, stand on the page', async t => {
  const { connect, owner, list, db, accountId } = await start(t)
  await connect()
  await db.write(accountId, tx => note(tx, KEY, { trouble: 'events_missed' }))
  const missed = await owner.open(list)
  assert.match(missed.text, /did not ask Stripe for a month/)
  assert.match((await missed.press('I have looked')).messages.join(), /Noted/)
  assert.doesNotMatch((await owner.open(list)).text, /for a month/)
  await db.write(accountId, tx => note(tx, KEY, { trouble: 'denied' }))
  assert.match((await owner.open(list)).text, /Stripe refuses the key/)
})

test('a bank account is entered, edited and removed; an IBAN with a wrong digit keeps what was typed', async t => {
  const { owner, list, bank } = await start(t)
  const form = await (await owner.open(list)).follow('Add a bank account')
  const typed = {
    'Account holder': 'Ada <b>Events</b>',
    'IBAN or account number': 'DE89 3704 0044 0532 0130 01',
  }
  const refused = await form.fill(typed).press('Save')
  assert.match(refused.text, /This is no IBAN/)
  assert.equal(refused.field('IBAN or account number').value, 'DE89 3704 0044 0532 0130 01')
  assert.equal(await bank(), undefined)
  const saved = await refused.fill({ 'IBAN or account number': 'DE89370400440532013000' }).press('Save')
  assert.match(saved.text, /DE89 3704 0044 0532 0130 00/)
  assert.ok(!saved.html.includes('<b>Events'))
  assert.deepEqual(await bank(), {
    holder: 'Ada <b>Events</b>',
    account: 'DE89 3704 0044 0532 0130 00',
    code: null,
    note: null,
  })
  const edit = await saved.follow('Edit')
  await edit.fill({ 'BIC or bank code': 'COBADEFFXXX' }).press('Save')
  assert.equal((await bank())?.code, 'COBADEFFXXX')
  await (await owner.open(`${list}/bank/remove`)).press('Remove the bank account')
  assert.equal(await bank(), undefined)
})

test('two people who edit the bank account at once: who is second sees what the first has written', async t => {
  const { owner, list, member, bank } = await start(t)
  const finance = await member('finance')
  const values = { 'Account holder': 'Ada Events', 'IBAN or account number': '1234567' }
  await (await owner.open(`${list}/bank`)).fill(values).press('Save')
  const [one, other] = [await owner.open(`${list}/bank`), await finance.open(`${list}/bank`)]
  await one.fill({ 'IBAN or account number': '7654321' }).press('Save')
  await other.fill({ 'What else one has to know': 'Bank of Ada' }).press('Save')
  assert.deepEqual([(await bank())?.account, (await bank())?.note], ['7654321', 'Bank of Ada'])
})

test('what was paid for no order here is refunded or seen to, by a person', async t => {
  const { app, owner, list, connect, db, accountId, clock, standIn } = await start(t)
  await connect()
  await onceSettled(
    { app },
    'stripe',
    'a look',
    async () => (await db.read(accountId, tx => findStripe(tx)))?.events_read_at,
  )
  for (const sessionId of ['cs_test_one', 'cs_test_two'])
    await db.write(accountId, tx =>
      orphans.note(tx, {
        sessionId,
        chargeId: 'ch_gone',
        amount: 7_500,
        currency: 'EUR',
        paidAt: clock(),
      }),
    )
  const page = await owner.open(list)
  assert.equal(page.rows().length, 2)
  const confirmation = await owner.open(`${list}/orphans/cs_test_one/refund`)
  assert.match(confirmation.text, /Refund €75\.00\?/)
  const going = await confirmation.press('Refund €75.00')
  assert.match(going.messages.join(), /goes back within a minute/)
  await onceSettled(
    { app },
    'stripe',
    'the answer of Stripe',
    async () =>
      (await db.read(accountId, tx => orphans.get(tx, 'cs_test_one'))).trouble === 'resource_missing',
  )
  assert.equal(
    (await standIn.requests({ method: 'POST', endpoint: '/v1/refunds' })).length,
    2,
    'the probe, and one',
  )
  const left = await owner.post(`${list}/orphans/cs_test_two/leave`, {})
  assert.match(left.messages.join(), /seen to/)
  assert.equal((await db.read(accountId, tx => orphans.get(tx, 'cs_test_two'))).state, 'left')
})

test('payments are for owners and finance: others see nothing and change nothing, and no one those of another account', async t => {
  const { member, list, bank, accountId, apply } = await start(t)
  const other = await apply(organization({ email: 'bob@example.org' }))
  for (const role of ['manager', 'door', 'chair', 'reviewer'] as const) {
    const reader = await member(role)
    assert.equal((await reader.open(list)).status, 403, role)
    assert.equal((await reader.post(`${list}/bank`, { holder: 'Eve', account: '1' })).status, 403, role)
    assert.equal((await reader.post(`${list}/stripe`, { key: KEY })).status, 403, role)
    assert.doesNotMatch((await reader.open(`/manage/a/${accountId}`)).links().join(), /\/payments/)
  }
  const finance = await member('finance')
  assert.equal((await finance.open(list)).status, 200)
  assert.equal((await finance.open(list.replace(accountId, other.account_id))).status, 404)
  assert.equal(
    (await finance.post(`${list.replace(accountId, other.account_id)}/bank`, { holder: 'Eve', account: '1' }))
      .status,
    404,
  )
  assert.equal(await bank(), undefined)
})

test('in Spanish there is no English left', async t => {
  const { member, list } = await start(t)
  const owner = await member('owner', { email: 'es@example.org', language: 'es' })
  for (const path of [list, `${list}/stripe`, `${list}/bank`]) {
    const { text } = await owner.open(path)
    assert.doesNotMatch(text, /\b(the|Payments|account|key)\b/, path)
  }
})

test('methods that take days are off until somebody offers them, and a new key keeps what was chosen', async t => {
  const { owner, list, connect, connected } = await start(t)
  assert.equal((await owner.open(`${list}/stripe/delayed`)).status, 404, 'there is no Stripe')
  const page = await connect()
  assert.match(page.text, /Methods that take days\s?Not offered/)
  const form = await page.follow('Methods that take days')
  assert.match(form.text, /tickets come once it is there/)
  const saved = await form.fill({ 'Offer methods that take days': true }).press('Save')
  assert.match(saved.messages.join(), /are offered from now on/)
  assert.match(saved.text, /Offered for events that begin in 14 days or later/)
  await connect()
  assert.equal((await connected())?.takes_delayed, true)
  const ended = await (await saved.follow('Methods that take days'))
    .fill({ 'Offer methods that take days': false })
    .press('Save')
  assert.match(ended.messages.join(), /no longer offered/)
  assert.equal((await connected())?.takes_delayed, false)
})
