import type { Command } from 'commander'
import { recordedWrite } from '../access-log/recorded-write.ts'
import { commandOn } from '../access-log/rules.ts'
import * as accounts from '../accounts/rules.ts'
import { newestFirst } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import { oneOf, uuid } from '../fields.ts'
import type { Listed } from '../resource.ts'
import * as deliveries from '../webhooks/deliveries.ts'
import type { Delivery } from '../webhooks/schemas.ts'
import { deliveryStatuses } from '../webhooks/states.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, wholeNumber } from './flags.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_LISTED = 10_000
const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

interface ListFlags extends CommonFlags {
  endpoint?: string
  status?: string
  limit: string
}

export function addDelivery(program: Command, terminal: Terminal): void {
  const delivery = program.command('delivery').description('webhook deliveries, sent and pending')
  addList(delivery, terminal)
  addShow(delivery, terminal)
  addRetry(delivery, terminal)
}

function addList(delivery: Command, terminal: Terminal): void {
  delivery
    .command('list')
    .description('list deliveries, newest first')
    .addOption(flag('--endpoint <id>', 'those to one endpoint'))
    .addOption(flag('--status <status>', `those that are ${deliveryStatuses.join(', ')}`))
    .addOption(flag('--limit <number>', 'at most so many').default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout delivery list --status failed')
    .action(async (flags: ListFlags) => {
      const filters = {
        endpointId: flags.endpoint === undefined ? undefined : readFlag('--endpoint', uuid, flags.endpoint),
        status:
          flags.status === undefined
            ? undefined
            : readFlag('--status', oneOf(deliveryStatuses), flags.status),
      }
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      const data = await withExistingDatabase(flags.data, terminal.clock, db =>
        db.read(tx => listOfEachAccount(tx, filters, limit)),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'EVENT', 'TYPE', 'STATUS', 'ATTEMPTS', 'NEXT', 'LAST'],
        data.map(row => [
          row.id,
          row.event_id,
          row.type,
          row.status,
          row.attempts,
          row.next_attempt_at,
          row.last_status_code ?? row.last_error,
        ]),
      )
    })
}

/** The newest of all accounts: each is asked in turn. */
async function listOfEachAccount(
  tx: ReadTx,
  filters: Parameters<typeof deliveries.listDeliveries>[2],
  limit: number,
): Promise<Delivery[]> {
  let newest: Listed<Delivery>[] = []
  for (const { id } of await accounts.list(tx)) {
    newest.push(...(await deliveries.listDeliveries(tx, id, filters, { limit })))
    newest = newest.sort((one, other) => newestFirst(one.position, other.position)).slice(0, limit)
  }
  return newest.map(({ resource }) => resource)
}

function addShow(delivery: Command, terminal: Terminal): void {
  delivery
    .command('show')
    .description('show a delivery with each attempt')
    .argument('<id>', 'the delivery')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout delivery show ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const shown = await withExistingDatabase(flags.data, terminal.clock, db =>
        db.read(async tx => deliveries.getDelivery(tx, await deliveries.findOwner(tx, id), id)),
      )
      if (flags.json) return printJson(terminal, shown)
      terminal.out(`${shown.type} ${shown.event_id} to ${shown.endpoint_id}: ${shown.status}\n`)
      printTable(
        terminal,
        ['NUMBER', 'AT', 'MS', 'STATUS', 'ERROR'],
        shown.attempt_log.map(row => [
          row.number ?? 'by hand',
          row.at,
          row.duration_ms,
          row.status_code,
          row.error,
        ]),
      )
    })
}

function addRetry(delivery: Command, terminal: Terminal): void {
  delivery
    .command('retry')
    .description('send a delivery once more; a running server does so within a second')
    .argument('<id>', 'the delivery')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout delivery retry ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const retried = await withExistingDatabase(flags.data, terminal.clock, async db => {
        const accountId = await db.read(tx => deliveries.findOwner(tx, id))
        return recordedWrite(db, commandOn(accountId), tx => deliveries.retryDelivery(tx, accountId, id), {
          action: 'delivery.retry',
          targetType: 'webhook_delivery',
          targetId: id,
        })
      })
      if (flags.json) return printJson(terminal, retried)
      terminal.out(`Delivery ${retried.id} will be sent once more.\n`)
    })
}
