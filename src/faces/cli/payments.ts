import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { configSchema } from '#base/config.ts'
import { Refusal } from '#base/refusal.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import { bankFields } from '#product/selling/payments/bank.ts'
import * as connections from '#product/selling/payments/connections.ts'
import { findBank } from '#product/selling/payments/methods.ts'
import { StripeService } from '#product/selling/payments/stripe/stripe.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { addPaymentCommands } from './payment.ts'
import { printJson, type Terminal } from './terminal.ts'

interface AccountFlags extends CommonFlags {
  account?: string
}

interface StripeFlags extends AccountFlags {
  baseUrl?: string
  testPayments?: boolean
}

export function addPayments(program: Command, terminal: Terminal): void {
  const payments = program
    .command('payments')
    .description('how an account takes money, and what came and went')
  addConnect(payments, terminal)
  addBank(payments, terminal)
  addStatus(payments, terminal)
  addDisconnect(payments, terminal)
  addPaymentCommands(payments, terminal)
}

function addConnect(payments: Command, terminal: Terminal): void {
  addStripeFlags(payments.command('connect'))
    .description('take money by Stripe, with a restricted key of an account there')
    .addOption(accountFlag('the account that takes the money'))
    .addOption(flag('--key-file <file>', 'the file with the key; without it, it is read from stdin'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout payments connect --key-file stripe-key.txt')
    .action(async (flags: StripeFlags & { keyFile?: string }) => {
      const account = readAccountName(flags.account)
      const connected = await withStripe(flags, terminal, async (db, stripe) => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        const found = await stripe.lookAtKey(readKeyFile(flags.keyFile))
        return recordedWrite(db, commandOn(accountId), tx => connections.connectStripe(tx, found), {
          action: 'payment_connection.connect',
          targetType: 'payment_connection',
          targetOf: made => made.account,
          details: () => ({ account: found.account, is_live: found.isLive }),
        })
      })
      if (flags.json) return printJson(terminal, connected)
      terminal.out(`Connected Stripe: ${describe(connected)}.\n`)
    })
}

function addBank(payments: Command, terminal: Terminal): void {
  payments
    .command('bank')
    .description('take money by bank transfer')
    .addOption(accountFlag('the account that takes the money'))
    .addOption(required('--holder <name>', 'who holds the bank account'))
    .addOption(required('--iban <number>', 'its IBAN, or its number'))
    .addOption(flag('--bic <code>', 'its BIC, or the code of its bank'))
    .addOption(flag('--note <text>', 'what else one has to know'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout payments bank --holder "Ada Events" --iban "DE89 3704 0044 0532 0130 00"',
    )
    .action(async (flags: AccountFlags & { holder: string; iban: string; bic?: string; note?: string }) => {
      const account = readAccountName(flags.account)
      const bank = {
        holder: readFlag('--holder', bankFields.holder, flags.holder),
        account: readFlag('--iban', bankFields.account, flags.iban),
        code: readFlag('--bic', bankFields.code, flags.bic ?? null),
        note: readFlag('--note', bankFields.note, flags.note ?? null),
      }
      await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        const entry = { action: 'payment_connection.bank', targetType: 'payment_connection' }
        await recordedWrite(db, commandOn(accountId), tx => connections.saveBank(tx, bank), entry)
      })
      if (flags.json) return printJson(terminal, bank)
      terminal.out(`Transfers go to ${bank.holder}, ${bank.account}.\n`)
    })
}

function addStatus(payments: Command, terminal: Terminal): void {
  payments
    .command('status')
    .description('say what takes money')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout payments status')
    .action(async (flags: AccountFlags) => {
      const account = readAccountName(flags.account)
      const { stripe, transfer } = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const accountId = await findAccount(tx, account)
          const connected = await connections.findStripe(tx.of(accountId))
          return { stripe: connected ?? null, transfer: (await findBank(tx.of(accountId))) ?? null }
        }),
      )
      if (flags.json) return printJson(terminal, { stripe, transfer })
      terminal.out(stripe === null ? 'Stripe: not connected.\n' : `Stripe: ${describe(stripe)}.\n`)
      if (stripe?.trouble === 'denied') terminal.out('Stripe refuses the key: paste another one.\n')
      if (stripe?.trouble === 'no_key')
        terminal.out('The key of Stripe is missing, as this was copied without secrets: paste one.\n')
      if (stripe?.trouble === 'events_missed')
        terminal.out('Stripe was not asked for a month: look there for refunds and disputes.\n')
      terminal.out(
        transfer === null ? 'Transfers: none.\n' : `Transfers: to ${transfer.holder}, ${transfer.account}.\n`,
      )
    })
}

function addDisconnect(payments: Command, terminal: Terminal): void {
  addStripeFlags(payments.command('disconnect'))
    .description('take no more money by Stripe, and forget its key')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout payments disconnect')
    .action(async (flags: StripeFlags) => {
      const account = readAccountName(flags.account)
      await withStripe(flags, terminal, async (db, stripe) => {
        const accountId = await db.read(INSTANCE, async tx => {
          const id = await findAccount(tx, account)
          await connections.refuseInUse(tx.of(id), 'stripe')
          return id
        })
        await stripe.removeEndpoints(accountId)
        const entry = { action: 'payment_connection.disconnect', targetType: 'payment_connection' }
        const work = connections.disconnect
        await recordedWrite(db, commandOn(accountId), tx => work(tx, 'stripe'), entry)
      })
      if (flags.json) return printJson(terminal, { disconnected: true })
      terminal.out('Disconnected Stripe. Revoke the key there as well.\n')
    })
}

function addStripeFlags(command: Command): Command {
  return command
    .addOption(flag('--base-url <url>', 'the address that people use: Stripe sends webhooks to it if it can'))
    .addOption(flag('--test-payments', 'take keys that move no money, as the server does'))
}

/** @throws Refusal */
async function withStripe<T>(
  flags: StripeFlags,
  { clock }: Terminal,
  work: (db: Database, stripe: StripeService) => Promise<T>,
): Promise<T> {
  const { baseUrl = 'http://127.0.0.1', testPayments: allowsTest = false } = flags
  const { TURNOUT_STRIPE_API: api = '' } = process.env
  if (api !== '' && !allowsTest)
    throw new Refusal('TURNOUT_STRIPE_API is for rehearsals alone: it needs --test-payments.')
  const at = readFlag('--base-url', configSchema.entries.baseUrl, baseUrl) as string
  return withExistingDatabase(flags, clock, async db => {
    const stripe = new StripeService({
      ...{ db, clock, allowsTest, baseUrl: at },
      api: api === '' ? undefined : readFlag('TURNOUT_STRIPE_API', configSchema.entries.stripeApi, api),
    })
    try {
      return await work(db, stripe)
    } finally {
      await stripe.stop()
    }
  })
}

const STDIN = 0

/** Reads the key from a file or stdin. A key must not be an argument, because other people on the machine can see those. */
function readKeyFile(path: string | undefined): string {
  try {
    return readFileSync(path ?? STDIN, 'utf8')
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path: path ?? 'stdin' })
  }
}

function describe({ name, account, is_live, last_four, has_webhook }: connections.StripeConnection): string {
  const called = name === null ? account : `${name} (${account})`
  const news = has_webhook ? 'with webhooks' : 'asked every minute'
  return `${called}, ${is_live ? 'live' : 'test'} mode, key …${last_four}, ${news}`
}
