import type { Command } from 'commander'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, wholeNumber } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_ENTRIES = 10_000

interface ListFlags extends CommonFlags {
  account?: string
  limit: string
}

export function addLog(program: Command, terminal: Terminal): void {
  program
    .command('log')
    .description('the access log')
    .command('list')
    .description('list who did what to the data of an account, newest first')
    .addOption(accountFlag('the account'))
    .addOption(flag('--limit <number>', `how many entries, at most ${MAX_ENTRIES}`).default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout log list --limit 20')
    .action(async (flags: ListFlags) => {
      const account = readAccountName(flags.account)
      const limit = readFlag('--limit', wholeNumber(1, MAX_ENTRIES), flags.limit)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => accessLog.list(tx.of(await findAccount(tx, account)), limit)),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['AT', 'ACTOR', 'ACTION', 'TARGET', 'REQUEST', 'ADDRESS', 'DETAILS'],
        data.map(entry => [
          entry.at,
          entry.actor,
          entry.action,
          `${entry.target_type} ${entry.target_id ?? ''}`.trim(),
          entry.request_id,
          entry.address,
          JSON.stringify(entry.details),
        ]),
      )
    })
}
