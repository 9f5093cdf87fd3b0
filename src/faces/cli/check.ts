import type { Command } from 'commander'
import { Refusal } from '#base/refusal.ts'
import type { Engine } from '#machinery/db/engine.ts'
import { findStrayClock } from '#machinery/db/heartbeat.ts'
import { engineOf } from '#machinery/db/open.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { findAhead } from '#product/data-care/integrity/instants.ts'
import { refuseMissing, servedBy } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addCheck(program: Command, terminal: Terminal): void {
  program
    .command('check')
    .description('look for damage in the database and its sums, also while a server runs')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout check --data /var/lib/turnout')
    .action(async (flags: CommonFlags) => {
      await refuseMissing(flags)
      const engine = engineOf(flags)
      const ofClock: string[] = []
      const damage = await engine.inspect(async reader => {
        const found = await findDamage(reader)
        const stray = await findStrayClock(servedBy(flags), reader, terminal.clock)
        ofClock.push(...(stray === undefined ? await findAhead(reader, terminal.clock()) : [stray]))
        return found
      })
      const errors = [...damage, ...ofClock]
      const ok = errors.length === 0
      if (flags.json) printJson(terminal, { ok, errors })
      else terminal.out(ok ? `${engine.place} is whole.\n` : errors.map(error => `${error}\n`).join(''))
      if (damage.length > 0) throw new Refusal(explainDamage(engine, errors.length))
      if (!ok) throw new Refusal(explainClock(engine.place))
    })
}

/** Returns the message of the refusal that ends the command with exit code 1. */
function explainDamage({ place, rescue }: Engine, count: number): string {
  const found = count === 1 ? 'one fault' : `${count} faults`
  return `${place} has ${found}. Keep a copy of ${rescue}, and check that.`
}

function explainClock(path: string): string {
  return `${path} is whole, but has dates ahead of the clock. Set the clock right if it is wrong; if it is right, run "turnout repair clock".`
}
