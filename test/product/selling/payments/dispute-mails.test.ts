import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '#product/administration/users/roles.ts'
import * as users from '#product/administration/users/rules.ts'
import { noteDispute } from '#test/support/disputes.ts'
import { openShop } from '#test/support/payments.ts'
import { startTicketMail, subjectsOf } from '#test/support/ticket-mail.ts'

test('a dispute is mailed to whoever looks after payments, in their language: when it is opened, and when it is over, once each', async t => {
  const { db, clock, accountId, eventId, buy, damage, paymentsOf } = await openShop(t)
  const { id, reference } = await buy({ Standard: 1 })
  const add = async (name: string, role: Role, language: 'en' | 'es', event_ids: string[] | null = null) =>
    db.write(accountId, async tx => {
      const user = { email: `${name}@example.org`, name, passwordHash: 'x', language }
      const { id: userId } = await users.createUser(tx, user, false)
      await users.addMember(tx, userId, { role, event_ids })
    })
  await add('owner', 'owner', 'en')
  await add('money', 'finance', 'es')
  await add('here', 'manager', 'en', [eventId])
  await add('elsewhere', 'manager', 'en', [])
  await add('door', 'door', 'en')
  const mail = await startTicketMail(t, db, clock)
  await mail.take()
  const [paid] = await paymentsOf(id)
  const payment = { id: paid?.id as string, event_id: eventId, order_id: id }
  const note = noteDispute(payment, clock())
  const tell = async (status: Parameters<typeof note>[1], back = 0) => {
    await db.write(accountId, tx => note(tx, status, back))
    return mail.take()
  }
  const warnings = await tell('warning')
  const subjects = subjectsOf(warnings).map(([to, subject]) => [to, subject.replace(/\s/g, ' ')])
  assert.deepEqual(subjects, [
    ['here@example.org', `A buyer disputes €25.00: order ${reference}`],
    ['money@example.org', `Disputa por 25,00 €: pedido ${reference}`],
    ['owner@example.org', `A buyer disputes €25.00: order ${reference}`],
  ])
  assert.match(
    warnings[2]?.parsed.text ?? '',
    /no money was taken.*answer it in Stripe’s dashboard until \w+/s,
  )
  assert.ok(warnings[2]?.parsed.text?.includes(`/manage/e/${eventId}/orders/${id}`))
  assert.match(warnings[1]?.parsed.text ?? '', /Puedes responder en el panel de Stripe hasta el/)
  assert.doesNotMatch(warnings.map(({ parsed }) => parsed.text).join(), /buyer-0/)
  assert.deepEqual(await tell('warning'), [])
  const taken = await tell('needs_response')
  assert.equal(taken.length, 3)
  assert.match(taken[2]?.parsed.text ?? '', /has taken the money back until it is decided/)
  assert.deepEqual([await tell('needs_response'), await tell('under_review')], [[], []])
  const ended = await tell('won', 2_500)
  assert.deepEqual(
    ended.map(({ parsed }) => parsed.subject?.replace(/\s/g, ' ')),
    [
      `The dispute about €25.00 is over: order ${reference}`,
      `La disputa por 25,00 € ha terminado: pedido ${reference}`,
      `The dispute about €25.00 is over: order ${reference}`,
    ],
  )
  assert.match(ended[2]?.parsed.text ?? '', /You have won it/)
  assert.deepEqual(await tell('won', 2_500), [])
  assert.deepEqual(await damage(), [])
})

test('of one that is over by the time the mail is sent, only its end is told', async t => {
  const { db, clock, accountId, eventId, buy } = await openShop(t)
  const { id, reference } = await buy({ Standard: 1 })
  await db.write(accountId, async tx => {
    const user = { email: 'o@example.org', name: 'O', passwordHash: 'x', language: 'en' as const }
    await users.addMember(tx, (await users.createUser(tx, user, false)).id, {
      ...{ role: 'owner', event_ids: null },
    })
  })
  const note = noteDispute({ id: crypto.randomUUID(), event_id: eventId, order_id: id }, clock())
  await db.write(accountId, tx => note(tx, 'needs_response', 0))
  await db.write(accountId, tx => note(tx, 'lost', 0))
  const mail = await startTicketMail(t, db, clock)
  const sent = subjectsOf(await mail.take()).filter(([to]) => to === 'o@example.org')
  assert.deepEqual(sent, [['o@example.org', `The dispute about €25.00 is over: order ${reference}`]])
})
