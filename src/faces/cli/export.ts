import type { Command } from 'commander'
import { writeJson } from '#base/json-text.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { HashedFolder } from '#machinery/files/hashed-folder.ts'
import { exportOrganization } from '#product/data-care/organization/export.ts'
import type { KeepFile } from '#product/data-care/organization/export-programme.ts'
import { readWithin } from '#product/programme/files/rules.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import type { Terminal } from './terminal.ts'

export function addExport(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('print the organization file of an account')
    .addOption(accountFlag('the account'))
    .addOption(flag('--files <dir>', 'the folder to which the files of abstracts are written'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout export > organization.json')
    .action(async (flags: CommonFlags & { account?: string; files?: string }) => {
      const account = readAccountName(flags.account)
      const folder = flags.files === undefined ? undefined : new HashedFolder(flags.files)
      folder?.make()
      let left = 0
      const keep: KeepFile = async (tx, attached) => {
        if (folder === undefined) left++
        else await folder.keep(attached, readWithin(tx, attached))
        return folder !== undefined
      }
      // One read makes the file one snapshot. No more of it is in memory than what is being written.
      await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const file = await exportOrganization(tx.of(await findAccount(tx, account)), keep)
          await writeJson(file, text => terminal.out(text))
        }),
      )
      terminal.out('\n')
      if (left > 0) terminal.err(`${leftOut(left)} Add --files DIR to write them there.\n`)
    })
}

function leftOut(count: number): string {
  return count === 1
    ? '1 file of an abstract was left out.'
    : `${count.toLocaleString('en')} files of abstracts were left out.`
}
