import type { Command } from 'commander'
import * as events from '../events/rules.ts'
import { uuid } from '../fields.ts'
import * as waitlist from '../waitlist/rules.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag, readFlag, required } from './flags.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

export function addWaitlist(program: Command, terminal: Terminal): void {
  program
    .command('waitlist')
    .description('people who wait for a ticket')
    .command('list')
    .description('list the waiting people of an event, oldest first')
    .addOption(required('--event <id>', 'the event'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout waitlist list --event 0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
    )
    .action(async (flags: CommonFlags & { event: string }) => {
      const eventId = readFlag('--event', uuid, flags.event)
      const data = await withExistingDatabase(flags.data, terminal.clock, db =>
        db.read(async tx => waitlist.listByEvent(tx, await events.findOwner(tx, eventId), eventId)),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['REFERENCE', 'NAME', 'EMAIL', 'QUANTITY', 'TYPE', 'SINCE', 'NOTIFIED'],
        data.map(row => [
          row.reference,
          row.name,
          row.email,
          row.quantity,
          row.registration_type_id,
          row.created_at,
          row.notified_at,
        ]),
      )
    })
}
