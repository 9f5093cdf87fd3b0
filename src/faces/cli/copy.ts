import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { Refusal } from '#base/refusal.ts'
import { copyRows } from '#machinery/db/copy.ts'
import type { Engine } from '#machinery/db/engine.ts'
import { setHold } from '#machinery/db/instance.ts'
import { type DatabasePlace, engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { refuseMissing } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag, required } from './flags.ts'
import { leaveNothingBehind } from './interrupted.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addCopy(program: Command, terminal: Terminal): void {
  program
    .command('copy')
    .description('move everything to another engine: from a data folder to PostgreSQL, or back')
    .addOption(
      required(
        '--to <place>',
        'an empty PostgreSQL database or the file that has its address, or a new folder',
      ),
    )
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout copy --data /var/lib/turnout --to /etc/turnout/database-url\n' +
        '\nStop the server first. All ids, links, keys, codes and secrets stay what they are; where it was copied from is held\n' +
        'from then on, so that it mails and pays back nothing any more.',
    )
    .action(async (flags: CommonFlags & { to: string }) => {
      await refuseMissing(flags)
      const source = engineOf(flags)
      const target = engineOf(readTarget(flags.to))
      if (await source.isServed()) {
        throw new Refusal(
          `A server runs on ${source.place}. Stop it first: what it writes meanwhile would be lost.`,
        )
      }
      const db = await source.openForCommand(terminal.clock)
      const forget = leaveNothingBehind()
      try {
        const rows = await target.receive(insert => copyRows(db, insert))
        await refuseNewDamage(source, target)
        await db.write(INSTANCE, tx => setHold(tx, tx.clock()))
        if (flags.json) printJson(terminal, { from: source.place, to: target.place, rows })
        else terminal.out(describe(source.place, target.place, rows))
      } finally {
        forget()
        await db.close()
      }
    })
}

/** A name with a scheme is an address, and a file has one. All else is a folder. */
function readTarget(to: string): DatabasePlace {
  const isFile = statSync(to, { throwIfNoEntry: false })?.isFile() === true
  return isFile || /^postgres(ql)?:/i.test(to) ? { data: '.', databaseUrl: to } : { data: to }
}

/** Refuses a copy with faults that the source does not have. A fault from before moves along, as somebody may know it. */
async function refuseNewDamage(source: Engine, target: Engine): Promise<void> {
  const found = await target.inspect(findDamage)
  if (found.length === 0) return
  const known = new Set(await source.inspect(findDamage))
  const added = found.find(fault => !known.has(fault))
  if (added === undefined) return
  throw new Refusal(
    `${target.place} is not what ${source.place} is, so use it for nothing, and keep to where it was: ${added}`,
  )
}

function describe(from: string, to: string, rows: number): string {
  return (
    `Copied ${rows.toLocaleString('en')} rows from ${from} to ${to}, and checked them.\n` +
    `${from} is held from now on: a server there mails and pays back nothing. Start the server on ${to}.\n`
  )
}
