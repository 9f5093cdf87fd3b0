import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { startWithStrangers } from '#test/support/people/strangers.ts'

const BOUND = { timeout: 240_000 }
const ELSEWHERE = '198.51.100.7'

async function startBounded(t: TestContext) {
  const server = await startWithStrangers(t)
  const { to, buy, settled, confirmPath, newestId } = server
  /** Orders a ticket for another person too. @returns the path of the button that the buyer is mailed */
  const order = async (n: number, address?: string) => {
    const path = await buy(`b${n}@example.org`, [`o${n}@example.org`], address)
    await settled()
    return { path, link: confirmPath(`b${n}@example.org`) as string, id: await newestId() }
  }
  const mailsTo = (...all: number[]) => all.map(n => to(`o${n}@example.org`).length)
  return { ...server, order, mailsTo }
}

test(
  'of one address twenty confirmed orders an hour mail others; the next is said to, does so in its turn, and once',
  BOUND,
  async t => {
    const { order, flood, confirm, settled, clock, mailsTo, page, db } = await startBounded(t)
    const [first, twentieth, next, elsewhere] = [
      await order(1),
      await order(20),
      await order(21),
      await order(22, ELSEWHERE),
    ]
    assert.match((await confirm(first.link)).location ?? '', /said=confirmed$/)
    await flood('confirmed', 18)
    assert.match((await confirm(twentieth.link)).location ?? '', /said=confirmed$/)
    const later = await confirm(next.link)
    assert.match(later.location ?? '', /said=confirmedLater$/)
    assert.match(
      (await page(later.location as string)).text,
      /their tickets go out one after another, within a day/,
    )
    assert.match((await confirm(elsewhere.link)).location ?? '', /said=confirmed$/)
    await settled()
    assert.deepEqual(mailsTo(1, 20, 21, 22), [1, 1, 0, 1])
    // A second press adds nothing.
    assert.equal((await confirm(next.link)).status, 303)
    clock.advance(HOUR - MINUTE)
    await settled()
    assert.deepEqual(mailsTo(21), [0])
    clock.advance(MINUTE + SECOND)
    await settled()
    assert.deepEqual(mailsTo(1, 20, 21, 22), [1, 1, 1, 1])
    assert.deepEqual(await findDamage(db), [])
  },
)

test(
  'a buyer who confirms where the turns of a day are taken is told to come again, and nothing is noted; an hour later it is',
  BOUND,
  async t => {
    const { order, flood, confirm, settled, clock, mailsTo, page, db } = await startBounded(t)
    const [one, elsewhere] = [await order(1), await order(2, ELSEWHERE)]
    await flood('confirmed')
    const refused = await confirm(one.link)
    assert.equal(refused.status, 429)
    assert.match(refused.text, /so nothing was sent\. Open this page again in a few hours/)
    const verified = () =>
      db.read(INSTANCE, tx => tx.all('SELECT id FROM orders WHERE verified_at IS NOT NULL'))
    const logged = () =>
      db.read(INSTANCE, tx => tx.all("SELECT id FROM access_log WHERE action = 'order.verify'"))
    assert.deepEqual([await verified(), await logged()], [[], []])
    assert.match((await page(one.link)).text, /Send their tickets/)
    assert.match((await confirm(elsewhere.link)).location ?? '', /said=confirmed$/)
    // A mail under way is found by the instant at which it began.
    await settled()
    clock.advance(HOUR)
    assert.match((await confirm(one.link)).location ?? '', /said=confirmedLater$/)
    clock.advance(DAY)
    await settled()
    assert.deepEqual([mailsTo(1, 2), (await verified()).length], [[1, 1], 2])
  },
)

test(
  'an order where the turns of a day are taken mails nobody, says so, and is mailed once there is room or the organizer wishes it',
  BOUND,
  async t => {
    const { order, flood, settled, clock, to, page, forms, from, member, eventId } = await startBounded(t)
    await order(0)
    await flood('others')
    const [requested, sent] = [await order(1), await order(2)]
    await order(3, ELSEWHERE)
    const mailed = () => [1, 2, 3].map(n => to(`b${n}@example.org`).length)
    assert.deepEqual(mailed(), [0, 0, 1])
    assert.match((await page(requested.path)).text, /so we have sent you no mail/)
    const again = () => forms.post(`${requested.path}/resend`, '', from('192.0.2.1'))
    assert.equal((await again()).status, 429)
    const manager = await member('manager')
    const shown = await manager.open(`/manage/e/${eventId}/orders/${sent.id}`)
    assert.match(shown.text, /so nothing is sent to b2@example\.org by itself/)
    await shown.press('Send the tickets again')
    await settled()
    assert.deepEqual(mailed(), [0, 1, 1])
    clock.advance(2 * DAY)
    await settled()
    assert.deepEqual(mailed(), [0, 1, 1], 'what was not sent is not sent by itself')
    assert.match((await again()).location ?? '', /said=resent$/)
    await settled()
    assert.deepEqual(mailed(), [1, 1, 1])
    assert.doesNotMatch((await page(requested.path)).text, /so we have sent you no mail/)
  },
)
