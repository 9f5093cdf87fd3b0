import type { Command } from 'commander'
import { instant, name, uuid } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import { withExistingDatabase } from './database.ts'
import {
  type CommonFlags,
  dataFlag,
  flag,
  jsonFlag,
  readFlag,
  required,
  someOf,
  wholeNumber,
} from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

interface AccountFlags extends CommonFlags {
  account?: string
}

interface CreateFlags extends AccountFlags {
  name: string
  scopes: string
  expires?: string
  rateLimit: string
}

export function addKey(program: Command, terminal: Terminal): void {
  const key = program.command('key').description('API keys')
  addCreate(key, terminal)
  addList(key, terminal)
  addRevoke(key, terminal)
}

function addCreate(key: Command, terminal: Terminal): void {
  key
    .command('create')
    .description('make an API key, and print it once')
    .addOption(accountFlag('the account whose data the key can read or change'))
    .addOption(required('--name <name>', 'what the key is for'))
    .addOption(
      required('--scopes <scopes>', `what the key may do, separated by commas: ${allScopes.join(',')}`),
    )
    .addOption(flag('--expires <instant>', 'a date and time with its offset'))
    .addOption(
      flag('--rate-limit <number>', 'requests per minute; 0 means no limit').default(
        String(keys.DEFAULT_RATE_LIMIT),
      ),
    )
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout key create --name door --scopes events:read,checkins:write',
    )
    .action(async (flags: CreateFlags) => {
      const account = readAccountName(flags.account)
      const input: keys.NewApiKey = {
        name: readFlag('--name', name(), flags.name),
        scopes: readFlag('--scopes', someOf(allScopes), flags.scopes),
        expiresAt: flags.expires === undefined ? null : readFlag('--expires', instant, flags.expires),
        rateLimit: readFlag('--rate-limit', wholeNumber(0, keys.MAX_RATE_LIMIT), flags.rateLimit),
      }
      if (input.expiresAt !== null && input.expiresAt <= terminal.clock()) {
        throw new Problem('invalid_parameter', { message: '--expires must be in the future.' })
      }
      const created = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        return recordedWrite(db, commandOn(accountId), tx => keys.create(tx, input), {
          action: 'key.create',
          targetType: 'api_key',
          targetOf: made => made.id,
          details: () => ({ name: input.name, scopes: input.scopes }),
        })
      })
      if (flags.json) return printJson(terminal, created)
      terminal.out(
        `Created key ${created.id}. It is shown only once; Turnout keeps only its hash:\n${created.key}\n`,
      )
    })
}

function addList(key: Command, terminal: Terminal): void {
  key
    .command('list')
    .description('list the API keys of an account, oldest first')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout key list --account ada@example.org')
    .action(async (flags: AccountFlags) => {
      const account = readAccountName(flags.account)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => keys.list(tx.of(await findAccount(tx, account)))),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'NAME', 'KEY', 'SCOPES', 'RATE LIMIT', 'CREATED', 'EXPIRES', 'LAST USED', 'REVOKED'],
        data.map(row => [
          row.id,
          row.name,
          `svc_…${row.last_four}`,
          row.scopes.join(','),
          row.rate_limit === 0 ? 'none' : row.rate_limit,
          row.created_at,
          row.expires_at,
          row.last_used_at,
          row.revoked_at,
        ]),
      )
    })
}

function addRevoke(key: Command, terminal: Terminal): void {
  key
    .command('revoke')
    .description('revoke an API key for good')
    .argument('<id>', 'the id of the key, as key list shows it')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout key revoke 0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f')
    .action(async (id: string, flags: CommonFlags) => {
      const keyId = readFlag('The id', uuid, id)
      const { key: revoked, changed } = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => keys.findOwner(tx, keyId))
        return recordedWrite(db, commandOn(accountId), tx => keys.revoke(tx, keyId), {
          action: 'key.revoke',
          targetType: 'api_key',
          targetId: keyId,
          hasChanged: result => result.changed,
        })
      })
      if (flags.json) return printJson(terminal, revoked)
      const when = changed ? '' : ` It was already revoked at ${revoked.revoked_at}.`
      terminal.out(`Revoked key ${revoked.id} (${revoked.name}).${when}\n`)
    })
}
