import type { Command } from 'commander'
import { oneOf, uuid } from '#base/fields.ts'
import type { Listed } from '#base/resource.ts'
import { newestFirst } from '#machinery/db/keyset.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as deliveries from '#product/administration/webhooks/deliveries.ts'
import type { Delivery } from '#product/administration/webhooks/schemas.ts'
import { deliveryStatuses } from '#product/administration/webhooks/states.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, wholeNumber } from './flags.ts'
import { findAccount, readAccountName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_LISTED = 10_000
/** The list of attempts shows this many characters of an answer. */
const MAX_SHOWN = 100
const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

interface ListFlags extends CommonFlags {
  account?: string
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
    .addOption(flag('--account <account>', 'those of one account: its e-mail or id; without it of all'))
    .addOption(flag('--endpoint <id>', 'those to one endpoint'))
    .addOption(flag('--status <status>', `those that are ${deliveryStatuses.join(', ')}`))
    .addOption(flag('--limit <number>', 'at most so many').default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout delivery list --status failed')
    .action(async (flags: ListFlags) => {
      const account = readAccountName(flags.account)
      const filters = {
        endpointId: flags.endpoint === undefined ? undefined : readFlag('--endpoint', uuid, flags.endpoint),
        status:
          flags.status === undefined
            ? undefined
            : readFlag('--status', oneOf(deliveryStatuses), flags.status),
      }
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      const data = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const all =
            account === undefined ? await accounts.list(tx) : [{ id: await findAccount(tx, account) }]
          return listOfEach(tx, all, filters, limit)
        }),
      )
      if (flags.json) return printJson(terminal, { data })
      printTable(
        terminal,
        ['ID', 'EVENT', 'TYPE', 'TO', 'STATUS', 'ATTEMPTS', 'CREATED', 'NEXT', 'LAST'],
        data.map(row => [
          row.id,
          row.event_id,
          row.type,
          row.url,
          row.status,
          row.attempts,
          row.created_at,
          row.next_attempt_at,
          describeLast(row),
        ]),
      )
    })
}

/**
 * Returns the answer to the last attempt, or its error. A manual attempt is marked, because the delivery's status may be older
 * than it.
 */
function describeLast({ last_manual, last_status_code, last_error }: Delivery): string | null {
  const outcome = last_status_code ?? last_error
  return outcome === null ? null : `${last_manual ? 'by hand: ' : ''}${outcome}`
}

/** Returns the newest deliveries of these accounts. It reads one account after another. */
async function listOfEach(
  tx: InstanceReadTx,
  among: readonly { id: string }[],
  filters: Parameters<typeof deliveries.listDeliveries>[1],
  limit: number,
): Promise<Delivery[]> {
  let newest: Listed<Delivery>[] = []
  for (const { id } of among) {
    newest.push(...(await deliveries.listDeliveries(tx.of(id), filters, { limit })))
    newest = newest.sort((one, other) => newestFirst(one.position, other.position)).slice(0, limit)
  }
  return newest.map(({ resource }) => resource)
}

function addShow(delivery: Command, terminal: Terminal): void {
  delivery
    .command('show')
    .description('show what a delivery sends, each attempt with its answer, and when the next one is')
    .argument('<id>', 'the delivery')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout delivery show ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: CommonFlags) => {
      const id = readFlag('The id', uuid, argument)
      const shown = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => deliveries.getDelivery(tx.of(await deliveries.findOwner(tx, id)), id)),
      )
      if (flags.json) return printJson(terminal, shown)
      terminal.out(`${shown.type} ${shown.event_id} to ${shown.url}: ${shown.status}\n`)
      terminal.out(`${describeCourse(shown)}\n\n`)
      const hasMoved = shown.attempt_log.some(row => row.url !== shown.url)
      printTable(
        terminal,
        ['NUMBER', 'AT', ...(hasMoved ? ['TO'] : []), 'MS', 'STATUS', 'ERROR', 'ANSWER'],
        shown.attempt_log.map(row => [
          row.number ?? 'by hand',
          row.at,
          ...(hasMoved ? [row.url] : []),
          row.duration_ms,
          row.status_code,
          row.error,
          row.response === null ? null : startOf(row.response),
        ]),
      )
      const { headers, body } = shown.request
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
      terminal.out(`\nWhat is sent:\n\n${lines.join('')}\n${body.replace(CONTROL, escapeCharacter)}\n`)
    })
}

function describeCourse(shown: Delivery): string {
  const { created_at: made, next_attempt_at: next, next_url: to } = shown
  const sentences = [`Made ${made}.`]
  if (next === null) sentences.push('There is no next attempt.')
  else sentences.push(`The next attempt is at ${next}${to === shown.url ? '' : `, to ${to}`}.`)
  if (shown.last_manual) sentences.push(`The last attempt was ${describeLast(shown)}`.replace(/\.?$/, '.'))
  if (shown.manual_pending) sentences.push('A retry by hand is still to come.')
  return sentences.join(' ')
}

const CONTROL = /\p{Cc}/gu

/** The escape means the same in JSON, and a terminal does not obey it. */
function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns the start of an answer in one line. The answer may be any text, and a terminal must not obey it. */
function startOf(answer: string): string {
  const line = answer.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line
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
      const retried = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => deliveries.findOwner(tx, id))
        return recordedWrite(db, commandOn(accountId), tx => deliveries.retryDelivery(tx, id), {
          action: 'delivery.retry',
          targetType: 'webhook_delivery',
          targetId: id,
        })
      })
      if (flags.json) return printJson(terminal, retried)
      terminal.out(`Delivery ${retried.id} will be sent once more.\n`)
    })
}
