import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import { startNoticed } from '#test/support/notices.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'

const LINK = 'https://meet.example/room?k=1'
const ONLINE = { online_url: LINK, venue: null, address: null, city: null }
const AT_THE_DOOR = /entrance|al llegar|at the door|en la puerta/

for (const [where, place] of [
  ['that has no place', ONLINE],
  ['that has a place too', { online_url: LINK, venue: 'Main Hall' }],
] as const) {
  test(`mails with tickets of an event ${where} bring its online link, and speak of an entrance only where there is one`, async t => {
    const { clock, mail, order, sweep, db, accountId, eventId } = await startNoticed(t)
    await db.write(accountId, tx => events.update(tx, eventId, place))
    await order('Grace', [
      ['Grace', null],
      ['Bob', 'bob@example.org'],
    ])
    const placed = await mail.take()
    clock.set('2026-11-22T09:00:00Z')
    await sweep()
    const mails = [...placed, ...(await mail.take())].filter(({ parsed }) => parsed.attachments.length > 0)
    assert.ok(mails.length >= 3, `${mails.length} mails`)
    for (const { parsed } of mails) {
      assert.ok(parsed.text?.includes(LINK), parsed.text)
      assert.match(parsed.html || '', /href="https:\/\/meet\.example\/room\?k=1"/)
      assert.equal(AT_THE_DOOR.test(parsed.text ?? ''), place !== ONLINE, parsed.text)
      assert.doesNotMatch(parsed.text ?? '', /undefined|null|\{/)
    }
  })

  test(`the printed ticket of an event ${where} has its online link`, { skip: withoutPoppler }, async t => {
    const { mail, order, db, accountId, eventId } = await startNoticed(t)
    await db.write(accountId, tx => events.update(tx, eventId, place))
    await order('Grace')
    const [confirmed] = await mail.take()
    const pdf = confirmed?.parsed.attachments.find(({ contentType }) => contentType === 'application/pdf')
    const text = new PdfFile(t, pdf?.content as Buffer).text(1)
    assert.ok(text.includes(LINK), text)
    assert.equal(AT_THE_DOOR.test(text), place !== ONLINE, text)
    assert.equal(text.includes('Join by the link above'), place === ONLINE)
  })
}

test('who has no ticket, as the order waits to be approved, is not told the online link', async t => {
  const { mail, order, db, accountId, eventId } = await startNoticed(t)
  await db.write(accountId, tx => events.update(tx, eventId, { ...ONLINE, requires_approval: true }))
  await order('Grace')
  const mails = await mail.take()
  assert.ok(mails.length > 0)
  for (const { parsed } of mails) assert.ok(!`${parsed.text}${parsed.html}`.includes('meet.example'))
})
