import { DAY } from '#base/time.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { matchPayout } from '#product/selling/bank-statements/payout-lines.ts'
import * as statements from '#product/selling/bank-statements/rules.ts'
import { refundEvent, startRefunds } from '#product/selling/event-cancellation/event.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { acceptAmount, declineAmount } from '#product/selling/payments/amounts.ts'
import { keepTickets, voidTickets } from '#product/selling/payments/dispute-decisions.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import * as orphans from '#product/selling/payments/orphan-payments.ts'
import * as decisions from '#product/selling/payments/refund-decisions.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import { refund } from '#product/selling/payments/refunding.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { noteReading } from '#product/selling/payouts/rules.ts'
import { addPayout } from '../payout-rows.ts'
import type { LivedShop } from './shop.ts'

/** Sells by a processor, and refunds in every way that leaves a trace of its own. */
export async function sellAndRefund(shop: LivedShop): Promise<void> {
  const { buy, ask, ticketsOf, write, stripe, endThere, refundThere, settle } = shop
  await buy({ Standard: 2, Student: 1 }, { code: 'HALF' })
  await buy({ Student: 1 }, { code: 'FIVE' })
  const all = await buy({ Standard: 1, Student: 2 })
  await ask(all, { ticketIds: await ticketsOf(all), amount: 9000 })
  const some = await buy({ Standard: 2 })
  await ask(some, { ticketIds: (await ticketsOf(some)).slice(0, 1), amount: 5000 })
  const favour = await buy({ Standard: 1, Student: 1 })
  await ask(favour, { amount: 1000 })
  const unpaid = await buy({ Standard: 1 })
  await ask(unpaid, { ticketIds: await ticketsOf(unpaid) })
  // Money that goes back in two turns, the second after the ticket is void.
  const twice = await buy({ Standard: 1 })
  await ask(twice, { ticketIds: await ticketsOf(twice), amount: 2000 })
  await ask(twice, { amount: 1500 })
  stripe.refundCourse = 'pending'
  const pending = await buy({ Standard: 1, Student: 1 })
  await ask(pending, { ticketIds: await ticketsOf(pending), amount: 7000 })
  const failing = async () => {
    const id = await buy({ Standard: 1 })
    const [made] = await ask(id, { ticketIds: await ticketsOf(id), amount: 4000 })
    await endThere(id, 'failed')
    return { id, refundId: made?.id as string }
  }
  await failing()
  const byHand = await failing()
  await write(tx => decisions.markPaidBack(tx, byHand.refundId))
  const dropped = await failing()
  await write(tx => decisions.drop(tx, dropped.refundId))
  const instead = await failing()
  await write(tx => decisions.drop(tx, instead.refundId))
  await ask(instead.id, { amount: 3000 })
  stripe.refundCourse = 'done'
  const returned = await buy({ Standard: 2, Student: 1 })
  const [back] = await ask(returned, { ticketIds: await ticketsOf(returned), amount: 12_000 })
  await endThere(returned, 'failed')
  const again = await buy({ Standard: 1 })
  const [first] = await ask(again, { ticketIds: await ticketsOf(again), amount: 5000 })
  await endThere(again, 'failed')
  await write(tx => decisions.retry(tx, (first as NonNullable<typeof first>).id))
  await settle()
  await write(tx => decisions.drop(tx, (back as NonNullable<typeof back>).id))
  const there = await buy({ Standard: 1 })
  await refundThere(there, 5000)
  const part = await buy({ Standard: 1, Student: 1 })
  await refundThere(part, 1234)
  await ask(part, { ticketIds: await ticketsOf(part), amount: 5766 })
  await cutThere(shop)
}

/** Somebody refunds at the processor what did not get through from here: all of it, more, or a part. */
async function cutThere({ buy, ask, ticketsOf, stripe, endThere, refundThere }: LivedShop): Promise<void> {
  for (const amount of [4000, 5000, 2500]) {
    stripe.refundCourse = 'pending'
    const id = await buy({ Standard: 1 })
    await ask(id, { ticketIds: await ticketsOf(id), amount: 4000 })
    await endThere(id, 'failed')
    stripe.refundCourse = 'done'
    await refundThere(id, amount)
  }
}

/** Money that comes late, twice, with another amount, or for a line that was cancelled. */
export async function takeStrangeMoney(shop: LivedShop): Promise<void> {
  const { place, pay, write, stripe, newest, settle, buy, get, clock } = shop
  const late = await place({ Standard: 1 }, { method: 'stripe' })
  await write(tx => orders.fail(tx, late, 'withdrawn'))
  await pay(late)
  const revived = await place({ Standard: 1 }, { method: 'stripe' })
  await write(tx => orders.fail(tx, revived, 'unpaid'))
  await pay(revived)
  await place({ Standard: 1 }, { method: 'stripe' })
  for (const [amount, decide] of [
    [4000, undefined],
    [4100, acceptAmount],
    [5900, acceptAmount],
    [4200, declineAmount],
  ] as const) {
    const id = await place({ Standard: 1 }, { method: 'stripe' })
    await pay(id, { amount })
    const payment = await newest(id)
    if (decide !== undefined) await write(tx => decide(tx, payment.id))
    await settle()
  }
  const paidTwice = await place({ Standard: 1 }, { method: 'door' })
  const door = await newest(paidTwice)
  await write(tx => payments.choose(tx, paidTwice, 'stripe', shop.processors))
  await settle()
  await pay(paidTwice)
  await write(tx => payments.markPaid(tx, door.id))
  const lines = await place({ Standard: 1, Student: 1 }, { method: 'stripe' })
  const [, student] = (await get(lines)).registrations
  await write(tx => cancelRegistration(tx, student?.id as string))
  await pay(lines)
  const less = await place({ Standard: 1, Student: 1 }, { method: 'door' })
  const [, other] = (await get(less)).registrations
  await write(tx => cancelRegistration(tx, other?.id as string))
  await settle()
  await shop.markPaid(less)
  stripe.fees = 'later'
  await buy({ Standard: 1, Student: 1 })
  stripe.fees = 'now'
  await write(tx =>
    orphans.note(tx, {
      ...{ sessionId: 'cs_orphan', chargeId: 'ch_orphan', amount: 5000, currency: 'EUR', paidAt: clock() },
    }),
  )
}

/** Banks take money back, and give it back. */
export async function disputePayments(shop: LivedShop): Promise<void> {
  const { buy, dispute, ask, ticketsOf } = shop
  const taken = { amount: -5000, fee: 2000 }
  await dispute(await buy({ Standard: 1 }), 'needs_response', [taken])
  const won = await buy({ Standard: 1 })
  await dispute(won, 'under_review', [taken])
  await dispute(won, 'won', [taken, { amount: 5000, fee: -2000 }])
  const lost = await buy({ Standard: 1, Student: 1 })
  await dispute(lost, 'lost', [taken])
  await ask(lost, { ticketIds: (await ticketsOf(lost)).slice(1), amount: 2000 })
  await dispute(await buy({ Standard: 1 }), 'lost', [{ amount: -5000, fee: null }])
  const several = await buy({ Standard: 2 })
  await dispute(several, 'lost', [{ amount: -3000, fee: 1500 }], { amount: 3000 })
  await dispute(several, 'needs_response', [{ amount: -2500, fee: 1500 }], { name: 'b', amount: 2500 })
  await dispute(await buy({ Standard: 1 }), 'warning', [])
  await decideDisputes(shop)
}

/** Of lost disputes one has its tickets voided, one keeps them, and one is won after all. */
async function decideDisputes({ buy, dispute, write, ticketsOf }: LivedShop): Promise<void> {
  const taken = { amount: -5000, fee: 2000 }
  const [voided, kept, won] = [
    await buy({ Standard: 1, Student: 1 }),
    await buy({ Standard: 1 }),
    await buy({ Standard: 1 }),
  ]
  for (const orderId of [voided, kept, won]) {
    await dispute(orderId, 'lost', [taken])
    const ticketIds = (await ticketsOf(orderId)).slice(0, 1)
    await write(async tx => {
      const [{ id } = { id: '' }] = await disputes.listByOrder(tx, orderId)
      if (orderId === kept) return keepTickets(tx, id)
      await voidTickets(tx, id, await readRefundable(tx, { orderId }), { ticketIds, isNotified: true })
    })
  }
  await dispute(won, 'won', [taken, { amount: 5000, fee: 0 }])
}

/** Money that comes and goes by the bank and at the door, and by the processor of sandboxes. */
export async function takeTransfers(shop: LivedShop): Promise<void> {
  const { orderByTransfer, bring, byHand, linesOf, ask, ticketsOf, place, act, settle } = shop
  const [exact, parts, short, over, wrong, back] = [
    await orderByTransfer({ Standard: 1, Student: 1 }),
    await orderByTransfer({ Standard: 1 }),
    await orderByTransfer({ Standard: 1 }),
    await orderByTransfer({ Standard: 1 }),
    await orderByTransfer({ Standard: 1 }),
    await orderByTransfer({ Standard: 1 }),
  ]
  await settle()
  shop.clock.advance(2 * DAY)
  const day = '11-23'
  await bring([
    { day, amount: '70.00', text: exact.text },
    { day, amount: '20.00', text: parts.text },
    { day, amount: '30.00', text: parts.text, name: 'Bob' },
    { day, amount: '30.00', text: short.text },
    { day, amount: '57.00', text: over.text },
    { day, amount: '12.00', text: wrong.text },
    { day, amount: '50.00', text: back.text },
    { day, amount: '11.00', text: 'No idea' },
    { day, amount: '-99.00', text: 'Rent' },
    { day, amount: '13.00', text: 'A gift' },
  ])
  await settle()
  const kept = (await linesOf('matched')).find(line => line.payment_id === wrong.payment.id)
  await byHand(tx => statements.unmatch(tx, kept?.id as string))
  const gift = (await linesOf('unmatched')).find(({ amount }) => amount === 1300)
  await byHand(tx => statements.setIgnored(tx, gift?.id as string, true))
  const [owed] = await ask(back.id, { ticketIds: await ticketsOf(back.id), amount: 4500 })
  await bring([{ day, amount: '-45.00', text: 'Refund' }])
  const [out] = (await linesOf('unmatched')).filter(({ amount }) => amount === -4500)
  await byHand(tx => statements.matchRefund(tx, out?.id as string, owed?.id as string))
  await ask(exact.id, { amount: 700 })
  const atDoor = await place({ Standard: 1, Student: 1 }, { method: 'door' })
  await shop.markPaid(atDoor)
  await place({ Standard: 1 }, { method: 'door' })
  for (const action of ['pay', 'pay', 'close', 'pay_later'] as const) {
    const id = await place({ Standard: 1 }, { method: 'test' })
    await act(id, action)
    await settle()
    if (action === 'pay') await ask(id, { ticketIds: await ticketsOf(id), amount: 2500 })
  }
  await place({ Standard: 1 }, { method: 'test' })
}

/** Orders that cost nothing or wait for approval, guests of a file whose money goes back, and an event that is cancelled. */
export async function endTheRest(shop: LivedShop): Promise<void> {
  const { place, buy, write, db, accountId, actor, settle, events: sold } = shop
  await place({ Free: 2 })
  const cancelled = await place({ Free: 1 })
  const [line] = (await shop.get(cancelled)).registrations
  await write(tx => cancelRegistration(tx, line?.id as string))
  await place({ Standard: 1 }, { of: 'approved' })
  const approved = await place({ Standard: 1 }, { of: 'approved' })
  await write(tx => payments.approve(tx, approved))
  await write(tx => orders.fail(tx, approved, 'unpaid'))
  const [alone] = await db.read(accountId, tx =>
    tx.all<{ id: string }>(
      "SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.reference = 'back-by-hand'",
      [accountId],
    ),
  )
  const of = { registrationId: alone?.id as string }
  const favour = { ticketIds: [], amount: 3333, reason: 'organizer', note: null, isNotified: false } as const
  const [owed] = (await write(tx => refund(tx, of, favour))).refunds
  await write(tx => decisions.markPaidBack(tx, owed?.id as string))
  await buy({ Standard: 1, Student: 1 }, { of: 'cancelled' })
  await place({ Standard: 1 }, { of: 'cancelled', method: 'transfer' })
  await place({ Free: 1 }, { of: 'cancelled' })
  const eventId = sold.cancelled?.id as string
  await write(tx => events.setStatus(tx, eventId, 'cancelled'))
  const job = await write(tx => startRefunds(tx, eventId, { isNotified: true, total: 3, by: 'cli' }))
  for (let isOver = false; !isOver; )
    isOver = await write(async tx => {
      const claimed = await jobs.claim(tx, job.id, null)
      if (claimed === undefined) return true
      const step = await refundEvent.run(tx, claimed.job, { ...actor, who: claimed.by })
      await jobs.advance(tx, claimed.job, step)
      await jobs.release(tx, job.id, claimed.job.lease)
      return step.finished
    })
  await settle()
}

/** The processor pays out: what is from here and what is not, by hand, and a payout that came back. Bookings of the bank are found. */
export async function payOut(shop: LivedShop): Promise<void> {
  const { buy, write, newest, dispute, bring, byHand, linesOf, ledgerOf, clock } = shop
  const sold = await buy({ Standard: 1, Student: 1 })
  const charge = `ch_${(await newest(sold)).session_id}`
  const fee = 0 - ((await ledgerOf(sold)).find(({ kind }) => kind === 'fee')?.amount ?? 0)
  const lost = await buy({ Standard: 1 })
  await dispute(lost, 'lost', [{ amount: -5000, fee: 2000 }])
  const taken = { kind: 'dispute', type: 'adjustment', amount: -5000, fee: 2000 } as const
  const { id: disputed } = await newest(lost)
  const day = new Date(clock()).toISOString().slice(0, 10)
  await write(async tx => {
    await addPayout(tx, {
      ...{ id: 'po_all', amount: 6500 - fee, arrivesOn: day, status: 'paid' },
      lines: [
        { amount: 7000, fee, sourceId: charge },
        { amount: 12_000, fee: 300, sourceId: 'ch_elsewhere' },
        { ...taken, id: `txn_${disputed}_a_0`, sourceId: 'du_1' },
        { kind: 'refund', type: 'refund', amount: -5000, sourceId: 're_elsewhere' },
        { kind: 'fee', type: 'stripe_fee', amount: -200, sourceId: null },
      ],
    })
    await addPayout(tx, { id: 'po_less', amount: 4000, arrivesOn: day, lines: [{ amount: 4100, fee: 50 }] })
    await addPayout(tx, { id: 'po_manual', amount: 12_345, arrivesOn: day, isManual: true })
    await addPayout(tx, { id: 'po_quiet', amount: 777, arrivesOn: day, isManual: true })
    await addPayout(tx, { id: 'po_failed', amount: 3000, arrivesOn: day, status: 'failed' })
    await noteReading(tx, null)
  })
  const inFile = day.slice(5)
  await bring([
    { day: inFile, amount: '123.45', text: 'STRIPE' },
    { day: inFile, amount: '40.00', text: 'STRIPE' },
  ])
  const wrong = (await linesOf('matched')).find(line => line.payout_id === 'po_less')
  await byHand(tx => statements.unmatch(tx, wrong?.id as string))
  await byHand(tx => matchPayout(tx, wrong?.id as string, 'po_less'))
}
