import type { Command } from 'commander'
import { engineOf } from '../db/open.ts'
import { discardStagedFiles } from '../files/staged-file.ts'
import { refuseMissing } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addBackup(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('copy the database to a new file, also while a server runs')
    .argument('<file>', 'the new file; one that exists is not overwritten')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout backup /mnt/stick/turnout-monday.db --data /var/lib/turnout',
    )
    .action(async (file: string, flags: CommonFlags) => {
      refuseMissing(flags.data)
      const engine = engineOf(flags)
      const forget = leaveNothingBehind()
      try {
        const size = await engine.backUp(file)
        if (flags.json) printJson(terminal, { file, size })
        else terminal.out(`Backed up ${engine.place} to ${file}, ${size} bytes.\n`)
      } finally {
        forget()
      }
    })
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A backup that is interrupted ends as every command does, but removes first what it has made. */
function leaveNothingBehind(): () => void {
  const stop = (signal: NodeJS.Signals) => {
    discardStagedFiles()
    forget()
    process.kill(process.pid, signal)
  }
  const forget = () => {
    for (const signal of signals) process.off(signal, stop)
  }
  for (const signal of signals) process.on(signal, stop)
  return forget
}
