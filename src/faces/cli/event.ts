import type { Command } from 'commander'
import { INSTANCE, type ReadTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
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
          const seriesOf = await findSeries(tx.of(accountId))
          const none = { sold: 0, capacity: 0 }
          return (await events.listAll(tx.of(accountId))).map(event => ({
            ...event,
            ...(places.get(event.id) ?? none),
            series: seriesOf.get(event.id) ?? null,
          }))
        }),
      )
      if (flags.json) return printJson(terminal, { data })
      const hasSeries = data.some(row => row.series !== null)
      printTable(
        terminal,
        ['ID', 'SLUG', 'TITLE', 'STARTS', 'STATUS', 'SOLD', ...(hasSeries ? ['SERIES'] : [])],
        data.map(row => [
          row.id,
          row.slug,
          row.title,
          row.starts_at,
          row.status,
          `${row.sold}/${row.capacity}`,
          ...(hasSeries ? [row.series ?? ''] : []),
        ]),
      )
    })
}

/** Returns the slugs of the series of those events that are of one, by the ids of the events. */
async function findSeries(tx: ReadTx): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { id, slug } of await series.listAll(tx))
    for (const date of await series.listDates(tx, id)) found.set(date.id, slug)
  return found
}
