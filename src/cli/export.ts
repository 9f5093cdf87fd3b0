import type { Command } from 'commander'
import { uuid } from '../fields.ts'
import { exportOrganization } from '../organization/export.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag, readFlag, required } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addExport(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('print the organization file of an account')
    .addOption(required('--account <id>', 'the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout export --account 0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f > organization.json',
    )
    .action(async (flags: CommonFlags & { account: string }) => {
      const accountId = readFlag('--account', uuid, flags.account)
      const file = await withExistingDatabase(flags.data, terminal.clock, db =>
        db.read(tx => exportOrganization(tx, accountId)),
      )
      printJson(terminal, file)
    })
}
