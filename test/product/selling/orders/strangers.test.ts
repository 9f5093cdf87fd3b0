import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startWithStrangers } from '#test/support/people/strangers.ts'

const BOUND = { timeout: 240_000 }
const GRACE = 'grace@example.org'
const others = Array.from({ length: 19 }, (_, n) => `other${n}@example.org`)

test(
  'others get their tickets of a free order once its buyer has pressed the button behind the link in the mail: once, however often',
  BOUND,
  async t => {
    const { buy, to, settled, received, confirmPath, confirm, page, db, accountId } =
      await startWithStrangers(t)
    const path = await buy(GRACE, others)
    await settled()
    assert.deepEqual(
      received.map(mail => mail.to),
      [[GRACE]],
    )
    const shown = await page(path)
    assert.match(shown.text, /19 other people wait for their tickets/)
    assert.match(shown.text, /Open our mail to grace@example\.org/)
    // Whoever sent the form knows what the page has, so it confirms nothing.
    const link = confirmPath(GRACE) as string
    assert.ok(link !== undefined && !shown.text.includes('/confirm'))
    assert.equal((await confirm(`${path}/confirm`)).status, 404)
    assert.equal((await page(`${link.replace('/confirm', '')}`)).status, 404)

    // A program that looks through mails opens every link.
    const confirmation = await page(link)
    assert.equal(confirmation.status, 200)
    assert.match(
      confirmation.text,
      /Send the other tickets\?[\s\S]*other18@example\.org[\s\S]*Send their tickets/,
    )
    await settled()
    assert.equal(received.length, 1)

    const answers = await Promise.all([confirm(link), confirm(link), confirm(link)])
    for (const { status, location } of answers) {
      assert.equal(status, 303)
      assert.match(location ?? '', new RegExp(`^${path}\\?said=confirmed$`))
    }
    await settled()
    for (const other of others) assert.equal(to(other).length, 1, other)
    assert.equal(received.length, 20)
    assert.doesNotMatch((await page(path)).text, /wait for their tickets/)
    assert.match((await page(link)).text, /There is nothing to confirm any more\./)
    const log = await db.read(INSTANCE, tx =>
      tx.all("SELECT actor FROM access_log WHERE action = 'order.verify'"),
    )
    assert.equal(log.length, 1)
    assert.deepEqual(await findDamage(db), [])
    assert.ok((await db.read(accountId, tx => orders.list(tx, { event_id: '' }, { limit: 1 }))).length === 0)
  },
)

test(
  'an order whose tickets are all the buyer’s asks for nothing, and neither does its mail',
  BOUND,
  async t => {
    const { buy, settled, received, confirmPath, page } = await startWithStrangers(t)
    const path = await buy(GRACE, ['GRACE@example.org'])
    await settled()
    assert.equal(received.length, 1)
    assert.equal(confirmPath(GRACE), undefined)
    assert.doesNotMatch((await page(path)).text, /waits for a ticket|have not mailed/)
  },
)

test(
  'the organizer sends the tickets of others by a button at the order, where it says what waits and why',
  BOUND,
  async t => {
    const { buy, to, settled, received, member, eventId, db, accountId } = await startWithStrangers(t)
    await buy(GRACE, ['bob@example.org'])
    await settled()
    assert.equal(received.length, 1)
    const [order] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
    const manager = await member('manager')
    const shown = await manager.open(`/manage/e/${eventId}/orders/${order?.id}`)
    assert.match(shown.text, /Not mailed yet[\s\S]*once the buyer has confirmed the order/)
    const sent = await shown.press('Send the ticket to this person now')
    assert.match(sent.text, /The tickets are on their way to the others\./)
    assert.doesNotMatch(sent.text, /Not mailed yet/)
    await settled()
    assert.deepEqual([to('bob@example.org').length, received.length], [1, 2])
  },
)

test(
  'an order that the organizer has approved mails others at once; before that, nobody but its buyer',
  BOUND,
  async t => {
    const { buy, to, settled, received, db, accountId, eventId } = await startWithStrangers(t, {
      requires_approval: true,
    })
    await buy(GRACE, ['bob@example.org'])
    await settled()
    assert.deepEqual(
      received.map(mail => mail.to),
      [[GRACE]],
    )
    const [order] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
    await db.write(accountId, tx => orders.approve(tx, order?.id as string))
    await settled()
    assert.deepEqual([to('bob@example.org').length, to(GRACE).length], [1, 2])
  },
)

test(
  'of one address five orders an hour that nobody has confirmed mail their buyers the link; the others wait for their turn, and say so',
  BOUND,
  async t => {
    const { buy, settled, received, page, clock, confirmPath, confirm, to } = await startWithStrangers(t)
    const paths: string[] = []
    for (let n = 0; n < 7; n++) paths.push(await buy(`victim${n}@example.org`, [`other${n}@example.org`]))
    await settled()
    assert.equal(received.length, 5)
    const waits = /Many orders came from your network in the last hour/
    assert.doesNotMatch((await page(paths[4] as string)).text, waits)
    assert.match((await page(paths[5] as string)).text, waits)
    // Somebody else has nothing to do with it.
    await buy('zoe@example.org', ['yan@example.org'], '198.51.100.7')
    await settled()
    assert.equal(to('zoe@example.org').length, 1)
    // Buyers who confirm are not held up in a hall: each makes room for the next.
    await confirm(confirmPath('victim0@example.org') as string)
    await settled()
    assert.equal(to('other0@example.org').length, 1)
    assert.deepEqual([to('victim5@example.org').length, to('victim6@example.org').length], [1, 0])
    clock.advance(HOUR + MINUTE)
    await settled()
    assert.deepEqual([to('victim5@example.org').length, to('victim6@example.org').length], [1, 1])
    for (let n = 1; n < 7; n++) assert.equal(to(`other${n}@example.org`).length, 0)
  },
)

test(
  'of one address sixty buyers an hour are mailed that nobody knows; the next has the tickets on the page, and the mail later',
  BOUND,
  async t => {
    const { buy, settled, received, page, clock, to, db } = await startWithStrangers(t)
    for (let n = 0; n < 60; n++) await buy(`b${n}@example.org`)
    const path = await buy('b60@example.org')
    await settled()
    assert.equal(received.length, 60)
    const shown = await page(path)
    assert.match(shown.text, /so the mail to you goes out later, at about/)
    assert.match(shown.text, /Show this code at the entrance/)
    // Further presses add nothing.
    for (let n = 0; n < 3; n++) assert.equal((await page(path)).status, 200)
    clock.advance(HOUR + MINUTE)
    await settled()
    assert.equal(to('b60@example.org').length, 1)
    assert.deepEqual(await findDamage(db), [])
  },
)

test('a network of IPv6 counts as one address by its /64, and four times that by its /48', BOUND, async t => {
  const { buy, settled, received } = await startWithStrangers(t)
  const order = (n: number, address: string) => buy(`v${n}@example.org`, [`o${n}@example.org`], address)
  for (let n = 0; n < 5; n++) await order(n, `2001:db8:1:1::${n + 1}`)
  for (let n = 5; n < 20; n++) await order(n, `2001:db8:1:${n}::1`)
  await settled()
  assert.equal(received.length, 20)
  await order(20, '2001:db8:1:1::99')
  await order(21, '2001:db8:1:99::1')
  await settled()
  assert.equal(received.length, 20)
  await order(22, '2001:db8:2:1::1')
  await settled()
  assert.equal(received.length, 21)
})

test(
  'a buyer who names others later has them wait for the link as well; whoever has the link to a verified order reaches forty a day',
  BOUND,
  async t => {
    const { buy, settled, received, confirmPath, confirm, forms, to, db, accountId, eventId, from, clock } =
      await startWithStrangers(t)
    const path = await buy(GRACE, ['GRACE@example.org'])
    await settled()
    const [order] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
    const details = await db.read(accountId, tx => orders.getDetails(tx, order?.id as string))
    const tickets = details.registrations.flatMap(line => line.attendees.map(({ id }) => id))
    const rename = (email: string) =>
      forms.post(
        `${path}/names`,
        new URLSearchParams(
          tickets.flatMap(id => [
            [`${id}.name`, 'You won'],
            [`${id}.email`, email],
          ]),
        ).toString(),
        from('192.0.2.1'),
      )
    assert.equal((await rename('bob@example.org')).status, 303)
    await settled()
    assert.deepEqual([to('bob@example.org').length, to(GRACE).length], [0, 2])
    await confirm(confirmPath(GRACE) as string)
    await settled()
    assert.equal(to('bob@example.org').length, 1)
    let refused: string | undefined
    let count = 1
    for (let n = 0; refused === undefined && n < 60; n++) {
      const answer = await rename(`n${n}@example.org`)
      if (answer.status === 303) count += 2
      else refused = answer.text
    }
    assert.match(refused ?? '', /Enough mails of this kind were sent for now/)
    assert.equal(count, 39)
    await settled()
    assert.ok(received.length < 50)
    // Each counts for a day.
    clock.advance(DAY - MINUTE)
    assert.equal((await rename('late@example.org')).status, 429)
    clock.advance(2 * MINUTE)
    assert.equal((await rename('late@example.org')).status, 303)
    await settled()
    assert.equal(to('late@example.org').length, 2, 'one for each ticket')
  },
)

test(
  'whoever has the link to an order has its mail sent again three times an hour at most, and no other beside one that waits',
  BOUND,
  async t => {
    const { buy, settled, forms, to, clock, from, page } = await startWithStrangers(t)
    const path = await buy(GRACE)
    await settled()
    const again = () => forms.post(`${path}/resend`, '', from('192.0.2.1'))
    for (const status of [303, 303, 429, 429]) {
      const answer = await again()
      assert.equal(answer.status, status)
      if (status === 429) assert.match(answer.text, /Enough mails of this kind were sent for now/)
      // A mail under way is found by the instant at which it began.
      await settled()
      clock.advance(SECOND)
    }
    assert.equal(to(GRACE).length, 3)
    clock.advance(HOUR + MINUTE)
    assert.equal((await again()).status, 303)
    await settled()
    assert.equal(to(GRACE).length, 4)
    assert.equal((await page(path)).status, 200)
  },
)

test(
  'a mail that somebody wishes for while many wait is said to come later, and so is one that waits already',
  BOUND,
  async t => {
    const { buy, settled, forms, to, clock, from, page } = await startWithStrangers(t)
    const path = await buy(GRACE)
    await settled()
    const again = () => forms.post(`${path}/resend`, '', from('192.0.2.1'))
    assert.equal((await again()).location, `${path}?said=resent`)
    await settled()
    for (let n = 2; n < 60; n++) await buy(`b${n}@example.org`)
    clock.advance(SECOND)
    for (let n = 0; n < 2; n++) assert.equal((await again()).location, `${path}?said=resentLater`)
    assert.match((await page(`${path}?said=resentLater`)).text, /so this mail goes out later, within a day/)
    await settled()
    assert.equal(to(GRACE).length, 2)
    clock.advance(HOUR + MINUTE)
    await settled()
    assert.equal(to(GRACE).length, 3)
  },
)

test('of one address sixty an hour join waitlists', BOUND, async t => {
  const { forms, types, clock, from, db } = await startWithStrangers(t, {
    registration_types: [{ name: 'Guest', price: 0, capacity: 0 }],
    waitlist_mode: 'notify',
  })
  const shown = await forms.get(`/ada/spring-meeting/waitlist?type=${types.Guest}`)
  const seal = /name="form\.shown" value="([^"]+)"/.exec(shown.text)?.[1] ?? ''
  clock.advance(2_000)
  const join = (n: number, address = '192.0.2.1') =>
    forms.post(
      '/ada/spring-meeting/waitlist',
      new URLSearchParams({
        ...{ type: types.Guest as string, name: 'You won', email: `w${n}@example.org`, quantity: '1' },
        'form.shown': seal,
      }).toString(),
      from(address),
    )
  for (let n = 0; n < 60; n++) assert.equal((await join(n)).status, 200)
  const refused = await join(60)
  assert.equal(refused.status, 429)
  assert.match(refused.text, /Many people have joined the waitlist from your network/)
  assert.equal((await join(60, '198.51.100.7')).status, 200)
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ n: number }>('SELECT count(*) AS n FROM waitlist_entries'),
  )
  assert.equal(row?.n, 61)
})

test(
  'a cancelled order that was never confirmed mails no holder, and neither reminders nor announcements reach them',
  BOUND,
  async t => {
    const { buy, settled, received, forms, from, db, accountId, eventId, to } = await startWithStrangers(t)
    const path = await buy(GRACE, ['bob@example.org'])
    const kept = await buy('ada@example.org', ['cy@example.org'])
    await settled()
    assert.equal((await forms.post(`${path}/cancel`, '', from('192.0.2.1'))).status, 303)
    await settled()
    assert.deepEqual(received.map(mail => mail.to[0]).sort(), ['ada@example.org', GRACE, GRACE])
    assert.ok(kept)
    const { countAudience } = await import('#product/mailing/announcements/audience.ts')
    const { countRecipients } = await import('#product/mailing/notices/rules.ts')
    const audience = { group: 'confirmed', types: [] } as const
    assert.equal((await countAudience(db, accountId, eventId, audience)).recipients, 1)
    assert.equal((await countRecipients(db, accountId, eventId)).recipients, 1)
    assert.equal(to('cy@example.org').length + to('bob@example.org').length, 0)
    assert.equal(await db.read(accountId, tx => emails.countStatus(tx, { status: 'waiting' }, 10)), 0)
  },
)
