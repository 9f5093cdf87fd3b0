import type { Command } from 'commander'
import { uuid } from '#base/fields.ts'
import { MAX_AMOUNT, parseAmount, toDecimal } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import { MAX_QUANTITY } from '#product/guests/registrations/schemas.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { queueRefund } from '#product/selling/payments/queue-mails.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import { refundOrder } from '#product/selling/payments/refunding.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag } from './flags.ts'
import { readOrderId } from './names.ts'
import { printJson, type Terminal } from './terminal.ts'

const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

interface RefundFlags extends CommonFlags {
  amount?: string
  note?: string
  quiet?: boolean
}

const flags = (command: Command): Command =>
  command
    .addOption(flag('--amount <amount>', 'how much, such as 12.50; without it all that is left'))
    .addOption(flag('--note <text>', 'why, for you alone'))
    .addOption(flag('--quiet', 'write no mail to the buyer'))
    .addOption(dataFlag())
    .addOption(jsonFlag())

/** Adds the command that gives money of an order back. */
export function addOrderRefund(order: Command, terminal: Terminal): void {
  flags(
    order.command('refund').description('give money of an order back, by what it was paid with or by hand'),
  )
    .addOption(flag('--void', 'all of its tickets become void'))
    .argument('<id>', 'the order')
    .addHelpText('after', `\nExample:\n  $ turnout order refund ${EXAMPLE_ID} --amount 12.50`)
    .action(async (argument: string, given: RefundFlags & { void?: boolean }) => {
      const id = readOrderId(argument)
      const made = await withExistingDatabase(given, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => orders.findOwner(tx, id))
        return giveBack(db, accountId, id, async tx => {
          const { tickets, left, currency } = await readRefundable(tx, { orderId: id })
          const standing = given.void ? tickets.filter(({ stands }) => stands) : []
          const { refunds: back } = await refundOrder(tx, {
            ...{ orderId: id, ticketIds: standing.map(ticket => ticket.id), reason: 'organizer' },
            ...{ amount: readAmount(given.amount, currency, left), note: given.note ?? null },
            isNotified: !given.quiet,
          })
          return back
        })
      })
      tellMade(terminal, made, given)
    })
}

/** Adds the command that gives money of one payment back. */
export function addPaymentRefund(payment: Command, terminal: Terminal): void {
  flags(payment.command('refund').description('give money of a payment back; the tickets stay as they are'))
    .argument('<id>', 'the payment')
    .addHelpText('after', `\nExample:\n  $ turnout payments refund ${EXAMPLE_ID} --amount 12.50`)
    .action(async (argument: string, given: RefundFlags) => {
      const id = readFlag('The id', uuid, argument)
      const made = await withExistingDatabase(given, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => payments.findOwner(tx, id))
        const { order_id: orderId } = await db.read(accountId, tx => payments.get(tx, id))
        return giveBack(db, accountId, orderId, async tx => {
          const order = await orders.get(tx, orderId)
          const { currency, event_id: eventId } = order
          const left = await refunds.leftOf(tx, orderId, id)
          const amount = readAmount(given.amount, currency, left)
          const back = await refunds.request(tx, {
            ...{ orderId, paymentId: id, eventId, currency, amount },
            ...{ reason: 'organizer', note: given.note ?? null },
          })
          const [first] = back
          if (!given.quiet && first !== undefined) await queueRefund(tx, order, { cause: first.id, amount })
          return back
        })
      })
      tellMade(terminal, made, given)
    })
}

function giveBack(
  db: Database,
  accountId: string,
  orderId: string,
  work: (tx: WriteTx) => Promise<Refund[]>,
): Promise<Refund[]> {
  return recordedWrite(db, commandOn(accountId), work, {
    ...{ action: 'order.refund', targetType: 'order', targetId: orderId },
    details: (_, made) => ({ refunds: made?.map(({ id }) => id) }),
  })
}

/**
 * @param left in minor units; it is the amount if there is no text
 * @throws Problem invalid_parameter; refund_too_large if less than the amount is left
 */
function readAmount(text: string | undefined, currency: string, left: number): number {
  const amount = text === undefined ? left : parseAmount(text, currency)
  if (amount === undefined || amount > MAX_AMOUNT * MAX_QUANTITY) {
    const message = `--amount must be an amount of ${currency}, such as 12.50.`
    throw new Problem('invalid_parameter', { message })
  }
  if (amount === 0 || amount > left) {
    const message = `So much is not left of what was paid: at most ${toDecimal(left, currency)} ${currency}.`
    throw new Problem('refund_too_large', { message, details: { left } })
  }
  return amount
}

function tellMade(terminal: Terminal, data: Refund[], { json }: RefundFlags): void {
  const lines = data.map(({ id, amount, currency, is_by_hand: byHand }) => {
    const how = byHand ? 'is to be paid back by hand' : 'goes back by its processor, once a server runs'
    return `Refund ${id}: ${toDecimal(amount, currency)} ${currency} ${how}.\n`
  })
  if (json) printJson(terminal, { data })
  else terminal.out(lines.join(''))
}
