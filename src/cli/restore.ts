import type { Command } from 'commander'
import { findUnfit } from '../check/damage.ts'
import { engineOf } from '../db/open.ts'
import { forgetRun } from '../ops/run-mark.ts'
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
      const engine = engineOf(flags)
      const { version } = await engine.restore(file, findUnfit)
      forgetRun(flags.data)
      if (flags.json) printJson(terminal, { database: engine.place, version })
      else terminal.out(`Restored ${file} to ${engine.place}. "turnout check" checks the sums in it.\n`)
    })
}
