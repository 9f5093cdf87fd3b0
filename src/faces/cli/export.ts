import type { Command } from 'commander'
import { exportOrganization } from '../organization/export.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addExport(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('print the organization file of an account')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout export > organization.json')
    .action(async (flags: CommonFlags & { account?: string }) => {
      const account = readAccountName(flags.account)
      const file = await withExistingDatabase(flags.data, terminal.clock, db =>
        db.read(async tx => exportOrganization(tx, await findAccount(tx, account))),
      )
      printJson(terminal, file)
    })
}
