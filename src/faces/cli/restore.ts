import type { Command } from 'commander'
import { engineOf } from '#machinery/db/open.ts'
import { forgetRun } from '#machinery/ops/run-mark.ts'
import { findUnfit } from '#product/data-care/integrity/damage.ts'
import { type Renewed, renew } from '#product/data-care/renewal/rules.ts'
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
      // This happens before the database is in place. A server that starts on it must not take it for the one that ran last.
      const steps = { renew, beforePlace: () => forgetRun(flags.data) }
      const { version, renewed } = await engine.restore(file, findUnfit, steps)
      if (flags.json) return printJson(terminal, { database: engine.place, version, renewed })
      terminal.out(`Restored ${file} to ${engine.place}. "turnout check" checks the sums in it.\n`)
      if (renewed !== undefined) terminal.out(tellRenewed(renewed))
    })
}

/** Tells the person who restored a copy without secrets what to do now, and what no longer works. */
function tellRenewed({ tickets, users, api_keys: keys, devices, webhooks, stripe }: Renewed): string {
  const lines = [
    'Links to orders, tickets and invitations from before lead nowhere.',
    users > 0 &&
      `${some(users, 'person needs', 'people need')} a new password, by "turnout user reset", and may set a second factor up again.`,
    tickets > 0 &&
      `${some(tickets, 'ticket has a new code', 'tickets have new codes')}: what was printed or sent before admits nobody here. Send them again.`,
    stripe > 0 &&
      `The key of Stripe is missing in ${some(stripe, 'account', 'accounts')}: nobody can pay by card, and nothing is refunded there, until one is saved again.`,
    webhooks > 0 &&
      `${some(webhooks, 'webhook endpoint is disabled and has a new secret', 'webhook endpoints are disabled and have new secrets')}. What was sent to them is not in it.`,
    keys > 0 && `${some(keys, 'API key is', 'API keys are')} revoked: make new ones.`,
    devices > 0 && `${some(devices, 'door is', 'doors are')} revoked: make them anew for their phones.`,
    'Mails that waited were left to the server that it was copied from.',
  ]
  const items = lines.filter(line => line !== false).map(line => `- ${line}\n`)
  return `\nThis copy was made without secrets, so these are new or missing:\n${items.join('')}`
}

function some(count: number, one: string, other: string): string {
  return `${count} ${count === 1 ? one : other}`
}
