import type { Command } from 'commander'
import { findUnfit } from '../check/damage.ts'
import { restore } from '../db/sqlite/copies/restore.ts'
import { databasePath } from '../db/sqlite/data-folder.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addRestore(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .description('make the database of an empty data folder from a backup')
    .argument('<file>', 'the backup')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout restore /mnt/stick/turnout-monday.db --data /var/lib/turnout',
    )
    .action(async (file: string, flags: CommonFlags) => {
      const { version } = await restore(file, flags.data, findUnfit)
      const path = databasePath(flags.data)
      if (flags.json) printJson(terminal, { database: path, version })
      else terminal.out(`Restored ${file} to ${path}. "turnout check" looks at the sums in it.\n`)
    })
}
