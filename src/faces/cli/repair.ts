import type { Command } from 'commander'
import { toIso } from '#base/time.ts'
import { countAhead, putBack, refuseBehind } from '#product/data-care/integrity/instants.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag } from './flags.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

interface RepairFlags extends CommonFlags {
  dryRun?: boolean
}

export function addRepair(program: Command, terminal: Terminal): void {
  program
    .command('repair')
    .description('mend the traces of a fault of the machine')
    .command('clock')
    .description('set dates that a fast clock has put into the future back to now, also while a server runs')
    .addOption(flag('--dry-run', 'show which dates lie in the future, and write nothing'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nThe clock must be right: what it says is taken for now. Make a backup first.\n\nExample:\n  $ turnout repair clock --dry-run',
    )
    .action(async (flags: RepairFlags) => {
      const dry = flags.dryRun ?? false
      const { now, rows } = await withExistingDatabase(flags, terminal.clock, async db => {
        if (!dry) return putBack(db, terminal.clock)
        const now = terminal.clock()
        refuseBehind(now)
        return { now, rows: await countAhead(db, now) }
      })
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
      if (flags.json) return printJson(terminal, { now: toIso(now), dry_run: dry, rows: total, tables: rows })
      if (total > 0) printTable(terminal, ['TABLE', 'ROWS'], Object.entries(rows))
      terminal.out(describe(toIso(now), total, dry))
    })
}

function describe(now: string, total: number, dry: boolean): string {
  if (total === 0) return `No date lies after now, ${now}.\n`
  const counted = total === 1 ? '1 row' : `${total} rows`
  return dry
    ? `${counted} would be set back to now, ${now}. Nothing was written.\n`
    : `Set ${counted} back to now, ${now}.\n`
}
