import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { currency, email, name, timezone } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import {
  type ForgettingSettings,
  forgettingFields,
  type NewAccount,
} from '#product/administration/accounts/schemas.ts'
import { withDatabase, withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

interface CreateFlags extends CommonFlags {
  name: string
  email: string
  timezone: string
  currency: string
}

interface UpdateFlags extends CommonFlags {
  account?: string
  name?: string
  email?: string
  forgetAfterDays?: string
}

export function addAccount(program: Command, terminal: Terminal): void {
  const account = program.command('account').description('organizer accounts')
  addCreate(account, terminal)
  addUpdate(account, terminal)
  addList(account, terminal)
}

function addCreate(account: Command, terminal: Terminal): void {
  account
    .command('create')
    .description('make an organizer account')
    .addOption(required('--name <name>', 'the name of the organizer'))
    .addOption(required('--email <address>', 'the e-mail of the organizer; each account has its own'))
    .addOption(flag('--timezone <zone>', 'an IANA time zone').default(accounts.DEFAULT_TIMEZONE))
    .addOption(flag('--currency <code>', 'an ISO 4217 code').default(accounts.DEFAULT_CURRENCY))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout account create --name "Ada Events" --email ada@example.org --timezone Europe/Madrid',
    )
    .action(async (flags: CreateFlags) => {
      const input: NewAccount = {
        name: readFlag('--name', name(), flags.name),
        email: readFlag('--email', email, flags.email),
        timezone: readFlag('--timezone', timezone, flags.timezone),
        currency: readFlag('--currency', currency, flags.currency),
        service_fee: accounts.NO_SERVICE_FEE,
      }
      const created = await withDatabase(flags, terminal.clock, db =>
        db.write(INSTANCE, async tx => {
          const made = await accounts.create(tx, input)
          await accessLog.record(tx.of(made.id), {
            ...accessLog.COMMAND_LINE,
            action: 'account.create',
            targetType: 'account',
            targetId: made.id,
          })
          return made
        }),
      )
      if (flags.json) printJson(terminal, created)
      else terminal.out(`Created account ${created.id} for ${created.name}.\n`)
    })
}

function addUpdate(account: Command, terminal: Terminal): void {
  account
    .command('update')
    .description(
      'change the e-mail, the name or the forgetting of an account; its keys, events and webhooks stay',
    )
    .addOption(accountFlag('the account'))
    .addOption(flag('--email <address>', 'the new e-mail; each account has its own'))
    .addOption(flag('--name <name>', 'the new name'))
    .addOption(
      flag(
        '--forget-after-days <days>',
        'forget guests so long after the end of an event: 30 to 3650, or off',
      ),
    )
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout account update --account ada@example.org --email ada@example.net',
    )
    .action(async (flags: UpdateFlags, command: Command) => {
      const { email: address, name: called, forgetAfterDays: days } = flags
      if (address === undefined && called === undefined && days === undefined) {
        command.error('error: say what to change: --email, --name or --forget-after-days')
      }
      const account = readAccountName(flags.account)
      const input = {
        ...(address !== undefined && { email: readFlag('--email', email, address) }),
        ...(called !== undefined && { name: readFlag('--name', name(), called) }),
        ...(days !== undefined && { forget_after_days: readDays(days) }),
      }
      const { updated } = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        return recordedWrite(db, accessLog.commandOn(accountId), tx => update(tx, input), {
          action: 'account.update',
          targetType: 'account',
          targetId: accountId,
          details: () => ({ fields: Object.keys(input) }),
          hasChanged: ({ was, updated }) => !isDeepStrictEqual(updated, was),
        })
      })
      const { forget_after_days: after } = updated
      const said = days === undefined ? {} : { forget_after_days: after }
      if (flags.json) return printJson(terminal, { ...updated.account, ...said })
      const { id, name: is, email: at } = updated.account
      terminal.out(`Updated account ${id}: ${is}, ${at}.\n`)
      if (days === undefined) return
      terminal.out(
        after === null
          ? 'Guests are not forgotten.\n'
          : `Guests are forgotten ${after} days after the end of an event. Owners are mailed a week before the first time.\n`,
      )
    })
}

/** Reads after how many days guests are forgotten. It is null if they never are. */
function readDays(text: string): number | null {
  if (text === 'off') return null
  return readFlag('--forget-after-days', forgettingFields.forget_after_days, Number(text))
}

/**
 * @throws Problem invalid_parameter for the e-mail of another account, because a wrong command leaves no entry in the access
 *   log
 */
async function update(tx: WriteTx, input: Partial<NewAccount & ForgettingSettings>) {
  const was = await read(tx)
  try {
    await accounts.update(tx, input)
    return { was, updated: await read(tx) }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'already_taken') throw error
    throw new Problem('invalid_parameter', { message: error.message })
  }
}

async function read(tx: WriteTx) {
  const { forget_after_days } = await accounts.getDetails(tx)
  return { account: await accounts.get(tx), forget_after_days }
}

function addList(account: Command, terminal: Terminal): void {
  account
    .command('list')
    .description('list the organizer accounts, oldest first')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout account list')
    .action(async (flags: CommonFlags) => {
      const data = await withExistingDatabase(flags, terminal.clock, db => db.read(INSTANCE, accounts.list))
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'NAME', 'EMAIL', 'TIMEZONE', 'CURRENCY', 'CREATED'],
        data.map(row => [row.id, row.name, row.email, row.timezone, row.currency, row.created_at]),
      )
    })
}
