import type { Command } from 'commander'
import { INSTANCE } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

export function addEvent(program: Command, terminal: Terminal): void {
  program
    .command('event')
    .description('events')
    .command('list')
    .description('list the events of an account with what is sold, oldest first')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout event list')
    .action(async (flags: CommonFlags & { account?: string }) => {
      const account = readAccountName(flags.account)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const accountId = await findAccount(tx, account)
          const places = await registrationTypes.sumPlaces(tx.of(accountId))
          const none = { sold: 0, capacity: 0 }
          return (await events.listAll(tx.of(accountId))).map(event => ({
            ...event,
            ...(places.get(event.id) ?? none),
          }))
        }),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'SLUG', 'TITLE', 'STARTS', 'STATUS', 'SOLD'],
        data.map(row => [
          row.id,
          row.slug,
          row.title,
          row.starts_at,
          row.status,
          `${row.sold}/${row.capacity}`,
        ]),
      )
    })
}
