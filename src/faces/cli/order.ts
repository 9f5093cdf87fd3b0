import type { Command } from 'commander'
import { oneOf } from '#base/fields.ts'
import { toDecimal } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import { INSTANCE, type ReadTx, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { queueCancelled } from '#product/selling/orders/queue-mails.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { type Order, type OrderDetails, withoutDetails } from '#product/selling/orders/schemas.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { findOrders } from '#product/selling/payments/search.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required, wholeNumber } from './flags.ts'
import { accountFlag, findEvent, readAccountName, readEventName, readOrderId } from './names.ts'
import { addOrderRefund } from './refund.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_LISTED = 10_000
const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
const states = ['pending', 'payment', 'approval', 'confirmed', 'failed'] as const

interface ListFlags extends CommonFlags {
  event: string
  account?: string
  state?: string
  search?: string
  limit: string
}

export function addOrder(program: Command, terminal: Terminal): void {
  const order = program.command('order').description('what people ordered on the page of an event')
  addList(order, terminal)
  addShow(order, terminal)
  addDecision(order, terminal, {
    name: 'approve',
    description: 'approve an order that waits for it: what it costs has to be paid from then on',
    act: payments.approve,
    done: ({ reference, waits_for: waits }) =>
      `Order ${reference} is approved${waits === 'payment' ? ', and waits for its payment' : ''}.`,
  })
  addDecision(order, terminal, {
    name: 'cancel',
    description: 'cancel an order that waits, or that cost nothing; its buyer is told',
    act: cancel,
    done: ({ reference }) => `Order ${reference} is cancelled.`,
  })
  addOrderRefund(order, terminal)
}

function addList(order: Command, terminal: Terminal): void {
  order
    .command('list')
    .description('list the orders of an event, newest first')
    .addOption(required('--event <event>', 'the event: its slug or id'))
    .addOption(accountFlag('the account that has the event'))
    .addOption(flag('--state <state>', `those that are ${states.join(', ')}: the middle two wait for that`))
    .addOption(flag('--search <text>', 'those with this reference, payment reference or e-mail of the buyer'))
    .addOption(flag('--limit <number>', 'at most so many').default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout order list --event spring-meeting --state payment')
    .action(async (flags: ListFlags) => {
      const name = readEventName(flags.event)
      const account = readAccountName(flags.account)
      const state = flags.state === undefined ? undefined : readFlag('--state', oneOf(states), flags.state)
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      const isWaiting = state === 'payment' || state === 'approval'
      const filter = isWaiting ? { waits_for: state } : { status: state }
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const event = await findEvent(tx, name, account)
          if (flags.search !== undefined)
            return findOrders(tx.of(event.accountId), event.id, flags.search, limit)
          return orders.list(tx.of(event.accountId), { event_id: event.id, ...filter }, { limit })
        }),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'REFERENCE', 'BUYER', 'EMAIL', 'STATE', 'TOTAL', 'CREATED', 'UNTIL'],
        data.map(row => [
          ...[row.id, row.reference, row.buyer.name, row.buyer.email, stateOf(row)],
          `${toDecimal(row.amount_total, row.currency)} ${row.currency}`,
          ...[row.created_at, row.expires_at],
        ]),
      )
    })
}

function stateOf({ status, waits_for: waits, failed_for: reason }: Order): string {
  if (waits !== null) return `waits for ${waits}`
  return reason === null ? status : `${status}: ${reason}`
}

/** Returns an order with its money, as `--json` prints it. */
async function readOrder(tx: ReadTx, id: string) {
  const { prices: _, event: __, ...order } = await orders.getDetails(tx, id)
  return {
    ...order,
    payments: await payments.listByOrder(tx, id),
    refunds: await refunds.listByOrder(tx, id),
    ledger: (await ledger.list(tx, { orderId: id })).map(({ moved_at, ...entry }) => ({
      ...entry,
      at: toIso(moved_at),
    })),
  }
}

function addShow(order: Command, terminal: Terminal): void {
  order
    .command('show')
    .description('show an order with its registrations, payments, refunds and what has moved')
    .argument('<id>', 'the order')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout order show ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readOrderId(argument)
      const shown = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => readOrder(tx.of(await orders.findOwner(tx, id)), id)),
      )
      if (flags.json) return printJson(terminal, shown)
      const money = (amount: number) => `${toDecimal(amount, shown.currency)} ${shown.currency}`
      const { reference, buyer } = shown
      terminal.out(`${reference} of ${buyer.name} <${buyer.email}>: ${stateOf(shown)}, `)
      terminal.out(`${money(shown.amount_total)}\n\n`)
      printTable(
        terminal,
        ['REGISTRATION', 'TYPE', 'TICKETS', 'STATE', 'TOTAL'],
        shown.registrations.map(line => [
          ...[line.id, line.registration_type_name, line.quantity, line.status, money(line.amount_total)],
        ]),
      )
      if (shown.payments.length > 0) {
        terminal.out('\n')
        printPayments(terminal, shown.payments)
      }
      if (shown.refunds.length > 0) {
        terminal.out('\n')
        printRefunds(terminal, shown.refunds)
      }
    })
}

export function printPayments(terminal: Terminal, rows: Awaited<ReturnType<typeof payments.list>>): void {
  printTable(
    terminal,
    ['PAYMENT', 'ORDER', 'BY', 'STATE', 'ASKED', 'CAME', 'REFERENCE', 'TROUBLE', 'CREATED'],
    rows.map(row => [
      ...[row.id, row.order_id, row.method, row.status],
      `${toDecimal(row.amount, row.currency)} ${row.currency}`,
      row.received === null ? null : toDecimal(row.received, row.currency),
      ...[row.reference, row.trouble, row.created_at],
    ]),
  )
}

export function printRefunds(
  terminal: Terminal,
  rows: Awaited<ReturnType<typeof refunds.listByOrder>>,
): void {
  printTable(
    terminal,
    ['REFUND', 'OF', 'BY', 'STATE', 'AMOUNT', 'WHY', 'TROUBLE', 'CREATED'],
    rows.map(row => [
      ...[row.id, row.order_id ?? row.registration_id, row.is_by_hand ? 'hand' : row.method, row.status],
      `${toDecimal(row.amount, row.currency)} ${row.currency}`,
      ...[row.reason, row.trouble, row.created_at],
    ]),
  )
}

interface Decision {
  name: string
  description: string
  act: (tx: WriteTx, id: string) => Promise<Order>
  done: (order: Order) => string
}

function addDecision(order: Command, terminal: Terminal, { name, description, act, done }: Decision): void {
  order
    .command(name)
    .description(description)
    .argument('<id>', 'the order')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout order ${name} ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readOrderId(argument)
      const decided = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => orders.findOwner(tx, id))
        return recordedWrite(db, commandOn(accountId), tx => act(tx, id), {
          ...{ action: `order.${name}`, targetType: 'order', targetId: id },
        })
      })
      if (flags.json) return printJson(terminal, decided)
      terminal.out(`${done(decided)}\n`)
    })
}

/** @throws Problem not_found; order_ended; refund_required for a paid order */
async function cancel(tx: WriteTx, id: string): Promise<Order> {
  const order = await orders.getDetails(tx, id)
  if (order.status === 'pending') return withoutDetails(await orders.end(tx, order, 'declined'))
  if (order.status !== 'confirmed') throw new Problem('order_ended')
  const { updatedOrder, cancelled } = await cancelAll(tx, order)
  await queueCancelled(tx, order, cancelled)
  return withoutDetails(updatedOrder)
}

async function cancelAll(tx: WriteTx, order: OrderDetails) {
  try {
    return await orders.cancelStanding(tx, order)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'refund_required') throw error
    const message = 'The order is paid: use "turnout order refund".'
    throw new Problem('refund_required', { message, subject: order.id })
  }
}
