import type { Command } from 'commander'
import { engineOf } from '#machinery/db/open.ts'
import { refuseMissing } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag } from './flags.ts'
import { leaveNothingBehind } from './interrupted.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addBackup(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('copy the database to a new file, also while a server runs')
    .argument('<file>', 'the new file; one that exists is not overwritten')
    .addOption(flag('--without-secrets', 'leave out all that nobody else may know: for a copy to pass on'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout backup /mnt/stick/turnout-monday.db --data /var/lib/turnout\n' +
        '\nA backup holds in clear: second factors, webhook secrets, the key of Stripe, the keys and codes of tickets, and\n' +
        'what links are made of. Without them, it restores to a server that asks for them again.',
    )
    .action(async (file: string, flags: CommonFlags & { withoutSecrets?: boolean }) => {
      await refuseMissing(flags)
      const engine = engineOf(flags)
      const forget = leaveNothingBehind()
      try {
        const size = await engine.backUp(file, undefined, flags.withoutSecrets)
        if (flags.json) printJson(terminal, { file, size })
        else {
          const what = flags.withoutSecrets ? ' without its secrets' : ''
          terminal.out(`Backed up ${engine.place}${what} to ${file}, ${size} bytes.\n`)
        }
      } finally {
        forget()
      }
    })
}
