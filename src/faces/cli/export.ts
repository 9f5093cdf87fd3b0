import type { Command } from 'commander'
import { writeJson } from '#base/json-text.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { exportOrganization } from '#product/data-care/organization/export.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import type { Terminal } from './terminal.ts'

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
      // One read makes the file one snapshot. No more of it is in memory than what is being written.
      await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const file = await exportOrganization(tx.of(await findAccount(tx, account)))
          await writeJson(file, text => terminal.out(text))
        }),
      )
      terminal.out('\n')
    })
}
