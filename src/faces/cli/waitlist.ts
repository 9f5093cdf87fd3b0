import type { Command } from 'commander'
import { INSTANCE } from '#machinery/db/port.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag, required } from './flags.ts'
import { accountFlag, findEvent, readAccountName, readEventName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

export function addWaitlist(program: Command, terminal: Terminal): void {
  program
    .command('waitlist')
    .description('people who wait for a ticket')
    .command('list')
    .description('list the waiting people of an event, oldest first')
    .addOption(required('--event <event>', 'the event: its slug or id'))
    .addOption(accountFlag('the account that has the event'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout waitlist list --event spring-meeting')
    .action(async (flags: CommonFlags & { event: string; account?: string }) => {
      const name = readEventName(flags.event)
      const account = readAccountName(flags.account)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const event = await findEvent(tx, name, account)
          return waitlist.listByEvent(tx.of(event.accountId), event.id)
        }),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['REFERENCE', 'NAME', 'EMAIL', 'QUANTITY', 'TYPE', 'SINCE', 'NOTIFIED', 'HELD UNTIL'],
        data.map(row => [
          row.reference,
          row.name,
          row.email,
          row.quantity,
          row.registration_type_id,
          row.created_at,
          row.notified_at,
          row.offer?.state === 'held' ? row.offer.until : null,
        ]),
      )
    })
}
