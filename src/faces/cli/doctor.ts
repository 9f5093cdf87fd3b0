import type { Command } from 'commander'
import { type Config, readConfig } from '#base/config.ts'
import { Refusal } from '#base/refusal.ts'
import type { Engine } from '#machinery/db/engine.ts'
import { readInstance } from '#machinery/db/instance.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { examine } from '#machinery/ops/doctor/examine.ts'
import { type Finding, finding } from '#machinery/ops/doctor/finding.ts'
import { EVERY, listBackups } from '#machinery/ops/scheduled-backups.ts'
import { Format } from '#machinery/web/format.ts'
import { lookAtVisits } from '#product/administration/access-log/look-at-visits.ts'
import { lookAtStripe } from '#product/selling/payments/look-at-stripe.ts'
import { textsIn } from '#texts/catalogue.ts'
import { refuseMissing } from './database.ts'
import { dataFlag, flag, jsonFlag } from './flags.ts'
import { addServerFlags, type ServerFlags, toSettings } from './serve.ts'
import { printJson, type Terminal } from './terminal.ts'

const HELP = `It changes nothing. Give it the flags or the environment of the server, and run it as the server's user. It asks the server for
mail, name servers and the address that people use; each look takes some seconds at most. "turnout check" looks for damage in the data.`

/** Adds the command that looks at what goes wrong in real life. */
export function addDoctor(program: Command, terminal: Terminal): void {
  addServerFlags(program.command('doctor'))
    .description('look at clock, disk, rights, backups, address, mail and payments, and say what to do')
    .addOption(dataFlag())
    .addOption(flag('--test-payments', 'as of "turnout serve"'))
    .addOption(flag('--local-ca', 'as of "turnout serve"'))
    .addOption(flag('--door-only', 'as of "turnout serve"'))
    .addOption(flag('--backup-dir <dir>', 'as of "turnout serve"'))
    .addOption(flag('--backup-every <cron>', 'as of "turnout serve"'))
    .addOption(jsonFlag())
    .addHelpText('after', `\n${HELP}\n\nExample:\n  $ turnout doctor --data /var/lib/turnout`)
    .action(async (flags: ServerFlags) => {
      const config = readConfig(toSettings(flags))
      await refuseMissing(config)
      const found = await examineData(config, terminal)
      const broken = found.filter(({ level }) => level === 'error').length
      print(found, { terminal, isJson: flags.json === true, ok: broken === 0 })
      if (broken > 0) throw new Refusal(`${broken === 1 ? 'One thing is' : `${broken} things are`} broken.`)
    })
}

async function examineData(config: Config, { clock }: Terminal): Promise<Finding[]> {
  const engine = engineOf(config)
  const isServed = await engine.isServed()
  const common = { config, clock, isServed }
  try {
    return await engine.look(async (reader, name) => {
      const { cursor_secret: secret } = await reader.read(INSTANCE, readInstance)
      const { backupDir: folder, backupEvery: every = EVERY, testPayments: allowsTest } = config
      const backups =
        folder === undefined ? undefined : { folder, every, list: () => listBackups(folder, secret) }
      const more = [
        () => lookAtVisits({ reader, config }),
        () => lookAtStripe({ reader, clock, isServed, allowsTest }),
      ]
      return examine({ ...common, reader, engine: name, backups, more })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [
      finding('error', 'database_unreadable', () => error.message),
      ...(await examineRest(common, engine)),
    ]
  }
}

/** Examines what needs no database. */
function examineRest(
  common: { config: Config; clock: Terminal['clock']; isServed: boolean },
  { place }: Engine,
) {
  return examine({ ...common, reader: undefined, engine: place, backups: undefined, more: [] })
}

const LEVELS = { ok: 'ok', info: 'note', warning: 'warning', error: 'broken' } as const

function print(
  found: readonly Finding[],
  { terminal, isJson, ok }: { terminal: Terminal; isJson: boolean; ok: boolean },
): void {
  const voice = { texts: textsIn('en'), format: new Format('en', 'UTC') }
  const findings = found.map(({ level, code, say }) => ({ level, code, message: say(voice) }))
  if (isJson) {
    printJson(terminal, { ok, findings })
    return
  }
  for (const { level, code, message } of findings) {
    terminal.out(`${LEVELS[level].padEnd(8)} ${code}: ${message}\n`)
  }
}
