import type { Command } from 'commander'
import { oneOf } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { Listed } from '#base/resource.ts'
import type { Position } from '#machinery/db/keyset.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import { decisionEntry, undo } from '#product/entrance/check-ins/scan-decisions.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import { undoReason } from '#product/entrance/check-ins/schemas.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required, wholeNumber } from './flags.ts'
import { accountFlag, findAccount, findEvent, readAccountName, readEventName } from './names.ts'
import { addDecide } from './scan-decide.ts'
import { addScanFiles } from './scan-file.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_LISTED = 10_000
const EXAMPLE_ID = '7f0f5c9e-4f4c-4f0e-9a39-6e0d7b1f5f53'

interface ListFlags extends CommonFlags {
  event: string
  account?: string
  only: string
  held?: boolean
  conflicts?: boolean
  limit: string
  cursor?: string
}

export function addScan(program: Command, terminal: Terminal): void {
  const scan = program.command('scan').description('what the doors of an event have scanned')
  addList(scan, terminal)
  addDecide(scan, terminal)
  addUndo(scan, terminal)
  addScanFiles(scan, terminal)
}

function addList(scan: Command, terminal: Terminal): void {
  scan
    .command('list')
    .description('list the scans of an event, newest first')
    .addOption(required('--event <event>', 'the event: its slug or id'))
    .addOption(accountFlag('the account that has the event'))
    .addOption(
      flag('--only <kind>', 'conflict: tickets admitted twice; held: what waits for a decision').default(
        'all',
      ),
    )
    .addOption(
      flag('--held', 'what waits for a decision, a row a ticket and door, with how many scans').conflicts([
        'only',
        'conflicts',
      ]),
    )
    .addOption(flag('--conflicts', 'the same of conflicts that nobody has set aside').conflicts('only'))
    .addOption(flag('--limit <number>', `at most so many, to ${MAX_LISTED}`).default('100'))
    .addOption(flag('--cursor <cursor>', 'go on where a list ended: next_cursor of its answer'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout scan list --event spring-meeting --only conflict')
    .action(async (flags: ListFlags) => {
      const name = readEventName(flags.event)
      const account = readAccountName(flags.account)
      const only = readFlag('--only', oneOf(scanLog.scanLists), flags.only)
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      const after = flags.cursor === undefined ? undefined : readCursor(flags.cursor)
      const page = { limit: limit + 1, after }
      const outcome = flags.held ? 'held' : flags.conflicts ? 'conflict' : undefined
      if (outcome !== undefined) {
        const cases = await withExistingDatabase(flags, terminal.clock, db =>
          db.read(INSTANCE, async tx => {
            const event = await findEvent(tx, name, account)
            return scanCases.list(tx.of(event.accountId), event.id, outcome, page)
          }),
        )
        return printCases(terminal, flags, partOf(cases, limit))
      }
      const rows = await withExistingDatabase(flags, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const event = await findEvent(tx, name, account)
          return [...(await scanLog.list(tx.of(event.accountId), event.id, only, page))]
        }),
      )
      const { data, ...rest } = partOf(rows, limit)
      if (flags.json) return printJson(terminal, { data, ...rest })
      printTable(
        terminal,
        ['ID', 'SCANNED', 'DOOR', 'TICKET', 'TYPE', 'SHOWN', 'OUTCOME', 'REASON', 'FIRST'],
        data.map(row => [
          ...[row.id, row.scanned_at, row.door, row.ticket?.name ?? null],
          row.ticket?.registration_type_name ?? null,
          ...[row.shown, row.kind === 'undo' ? `undo: ${row.outcome}` : row.outcome, row.reason ?? row.note],
          row.holder === null || row.holder.scan_id === row.id ? null : row.holder.at,
        ]),
      )
      tellRest(terminal, rest)
    })
}

/** A part of a list. `next_cursor` is empty at its end. */
interface Part<Resource> {
  data: Resource[]
  has_more: boolean
  next_cursor: string
}

/** @param rows one more than the limit, if there are more */
function partOf<Resource>(rows: readonly Listed<Resource>[], limit: number): Part<Resource> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)?.position : undefined
  return {
    data: shown.map(({ resource }) => resource),
    has_more: last !== undefined,
    next_cursor:
      last === undefined ? '' : Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url'),
  }
}

/** @throws Problem invalid_parameter */
function readCursor(text: string): Position {
  try {
    const [created_at, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(created_at) && typeof id === 'string')
      return { created_at: Number(created_at), id }
  } catch {
    // What is no JSON is no cursor either.
  }
  throw new Problem('invalid_parameter', { message: '--cursor must be the next_cursor of a list.' })
}

function tellRest(terminal: Terminal, { has_more, next_cursor }: Omit<Part<unknown>, 'data'>): void {
  if (has_more) terminal.out(`There are more: go on with --cursor ${next_cursor}\n`)
}

function printCases(
  terminal: Terminal,
  { json }: CommonFlags,
  { data, ...rest }: Part<scanCases.ScanCase>,
): void {
  if (json) {
    printJson(terminal, { data, ...rest })
    return
  }
  printTable(
    terminal,
    ['DOOR', 'DEVICE', 'TICKET', 'TYPE', 'SCANS', 'FIRST', 'LAST', 'REASON'],
    data.map(({ door, device_id, scan, scans, first_scanned_at, last_scanned_at }) => [
      ...[door, device_id, scan.ticket?.name ?? null, scan.ticket?.registration_type_name ?? null],
      ...[String(scans), first_scanned_at, last_scanned_at, scan.reason],
    ]),
  )
  tellRest(terminal, rest)
}

function addUndo(scan: Command, terminal: Terminal): void {
  scan
    .command('undo')
    .description(
      'take a scan back: its check-in goes to whoever else was admitted with the ticket, or to nobody',
    )
    .argument('<id>', 'the id of the scan, as scan list shows it')
    .addOption(required('--reason <text>', 'why: it is kept in the access log'))
    .addOption(accountFlag('the account that has the scan'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout scan undo ${EXAMPLE_ID} --reason "Scanned by mistake"`)
    .action(async (id: string, flags: CommonFlags & { reason: string; account?: string }) => {
      const account = readAccountName(flags.account)
      const reason = readFlag('--reason', undoReason, flags.reason)
      const { scan: undone, changed } = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        const work = decisionEntry('undo', id, reason)
        return recordedWrite(db, commandOn(accountId), tx => undo(tx, { id }, reason), work)
      })
      if (flags.json) return printJson(terminal, undone)
      const whose = undone.ticket === null ? '' : ` of ${undone.ticket.name}`
      terminal.out(changed ? `The scan${whose} is undone.\n` : `The scan${whose} was undone before.\n`)
    })
}
