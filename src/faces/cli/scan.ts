import type { Command } from 'commander'
import { oneOf } from '#base/fields.ts'
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
    .addOption(flag('--limit <number>', 'at most so many').default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout scan list --event spring-meeting --only conflict')
    .action(async (flags: ListFlags) => {
      const name = readEventName(flags.event)
      const account = readAccountName(flags.account)
      const only = readFlag('--only', oneOf(scanLog.scanLists), flags.only)
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      const outcome = flags.held ? 'held' : flags.conflicts ? 'conflict' : undefined
      if (outcome !== undefined) {
        const cases = await withExistingDatabase(flags.data, terminal.clock, db =>
          db.read(INSTANCE, async tx => {
            const event = await findEvent(tx, name, account)
            return scanCases.list(tx.of(event.accountId), event.id, outcome, { limit })
          }),
        )
        return printCases(
          terminal,
          flags,
          cases.map(({ resource }) => resource),
        )
      }
      const data = await withExistingDatabase(flags.data, terminal.clock, db =>
        db.read(INSTANCE, async tx => {
          const event = await findEvent(tx, name, account)
          const rows = await scanLog.list(tx.of(event.accountId), event.id, only, { limit })
          return [...rows].map(({ resource }) => resource)
        }),
      )
      if (flags.json) return printJson(terminal, { data })
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
    })
}

function printCases(terminal: Terminal, { json }: CommonFlags, data: readonly scanCases.ScanCase[]): void {
  if (json) {
    printJson(terminal, { data })
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
      const { scan: undone, changed } = await withExistingDatabase(flags.data, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        const work = decisionEntry('undo', id, reason)
        return recordedWrite(db, commandOn(accountId), tx => undo(tx, { id }, reason), work)
      })
      if (flags.json) return printJson(terminal, undone)
      const whose = undone.ticket === null ? '' : ` of ${undone.ticket.name}`
      terminal.out(changed ? `The scan${whose} is undone.\n` : `The scan${whose} was undone before.\n`)
    })
}
