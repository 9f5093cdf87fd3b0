import type { Command } from 'commander'
import { oneOf, uuid } from '#base/fields.ts'
import { toDecimal } from '#base/money.ts'
import { toIso } from '#base/time.ts'
import { INSTANCE, type ReadTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as decisions from '#product/selling/payments/refund-decisions.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, wholeNumber } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printPayments, printRefunds } from './order.ts'
import { addPaymentRefund } from './refund.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_LISTED = 10_000
const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
const statuses = ['created', 'pending', 'confirmed', 'failed', 'cancelled'] as const

interface ListFlags extends CommonFlags {
  account?: string
  status?: string
  troubled?: boolean
  owed?: boolean
  limit: string
}

/** Adds the commands about payments and their refunds. */
export function addPaymentCommands(group: Command, terminal: Terminal): void {
  addList(group, terminal)
  addShow(group, terminal)
  addPaid(group, terminal)
  addPaymentRefund(group, terminal)
  addOfRefund(group, terminal, {
    name: 'paid-back',
    description: 'note that money was paid back by hand',
    logged: 'refund.paid_back',
    act: decisions.markPaidBack,
    done: 'is done',
  })
  addOfRefund(group, terminal, {
    name: 'retry',
    description:
      'ask the processor once more for a refund that did not get through; a running server does so',
    logged: 'refund.retry',
    act: decisions.retry,
    done: 'is asked for once more',
  })
  addOfRefund(group, terminal, {
    name: 'drop',
    description: 'end a refund that is not to go back after all; its tickets stay void',
    logged: 'refund.drop',
    act: decisions.drop,
    done: 'is dropped',
  })
}

function addList(group: Command, terminal: Terminal): void {
  group
    .command('list')
    .description('list payments, newest first; with --owed, refunds that have not reached their buyers')
    .addOption(accountFlag('the account'))
    .addOption(flag('--status <status>', `those that are ${statuses.join(', ')}`))
    .addOption(flag('--troubled', 'those that somebody has to look into'))
    .addOption(flag('--owed', 'refunds that are owed, or on their way'))
    .addOption(flag('--limit <number>', 'at most so many').default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout payments list --status pending')
    .action(async (flags: ListFlags) => {
      const account = readAccountName(flags.account)
      const status =
        flags.status === undefined ? undefined : readFlag('--status', oneOf(statuses), flags.status)
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        if (flags.owed) {
          const data = await db.read(accountId, tx => refunds.listOwed(tx, limit))
          return flags.json ? printJson(terminal, { data }) : printRefunds(terminal, data)
        }
        const data = await db.read(accountId, tx =>
          flags.troubled ? payments.listTroubled(tx, limit) : payments.list(tx, { status }, { limit }),
        )
        return flags.json ? printJson(terminal, { data }) : printPayments(terminal, data)
      })
    })
}

/** Returns a payment with its refunds and its ledger entries. */
async function readPayment(tx: ReadTx, id: string) {
  const payment = await payments.get(tx, id)
  const back = await refunds.listByOrder(tx, payment.order_id)
  const moved = await ledger.list(tx, { orderId: payment.order_id })
  return {
    ...payment,
    refunds: back.filter(({ payment_id }) => payment_id === id),
    ledger: moved
      .filter(({ payment_id }) => payment_id === id)
      .map(({ moved_at, ...entry }) => ({ ...entry, at: toIso(moved_at) })),
  }
}

function addShow(group: Command, terminal: Terminal): void {
  group
    .command('show')
    .description('show a payment with what has moved for it')
    .argument('<id>', 'the payment')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout payments show ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const shown = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => readPayment(tx.of(await payments.findOwner(tx, id)), id)),
      )
      if (flags.json) return printJson(terminal, shown)
      printPayments(terminal, [shown])
      terminal.out('\n')
      printTable(
        terminal,
        ['MOVED', 'AMOUNT', 'AT', 'NAMED'],
        shown.ledger.map(entry => [
          ...[entry.kind, `${toDecimal(entry.amount, entry.currency)} ${entry.currency}`],
          ...[entry.at, entry.entry_id],
        ]),
      )
      if (shown.refunds.length === 0) return
      terminal.out('\n')
      printRefunds(terminal, shown.refunds)
    })
}

function addPaid(group: Command, terminal: Terminal): void {
  group
    .command('paid')
    .description('note that a transfer has come, or cash: the order is confirmed; late, while there is room')
    .argument('<id>', 'the payment')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout payments paid ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const paid = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => payments.findOwner(tx, id))
        const of = await db.read(accountId, tx => payments.get(tx, id))
        return recordedWrite(db, commandOn(accountId), tx => payments.markPaid(tx, id), {
          ...{ action: 'payment.paid', targetType: 'order', targetId: of.order_id },
          details: () => ({ payment: id }),
        })
      })
      if (flags.json) return printJson(terminal, paid)
      terminal.out(
        `Payment ${paid.id} is noted: ${toDecimal(paid.received ?? 0, paid.currency)} ${paid.currency}.\n`,
      )
    })
}

interface OfRefund {
  name: string
  description: string
  logged: string
  act: typeof decisions.retry
  done: string
}

function addOfRefund(group: Command, terminal: Terminal, { name, description, logged, act, done }: OfRefund) {
  group
    .command(name)
    .description(description)
    .argument('<id>', 'the refund')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout payments ${name} ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const refund: Refund = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => refunds.findOwner(tx, id))
        return recordedWrite(db, commandOn(accountId), tx => act(tx, id), {
          ...{ action: logged, targetType: 'refund', targetId: id },
        })
      })
      if (flags.json) return printJson(terminal, refund)
      terminal.out(
        `Refund ${refund.id} of ${toDecimal(refund.amount, refund.currency)} ${refund.currency} ${done}.\n`,
      )
    })
}
