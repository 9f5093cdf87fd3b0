import { createReadStream } from 'node:fs'
import { appendFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import * as v from 'valibot'
import { Refusal } from '#base/refusal.ts'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { linesOf } from '#machinery/files/lines.ts'
import { refuseExisting, StagedFile } from '#machinery/files/staged-file.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import {
  countHeld,
  exportScans,
  findOpen,
  type ImportedLine,
  importLine,
} from '#product/entrance/check-ins/door-history.ts'
import {
  HISTORY_LINE_BYTES,
  type HistoryHead,
  type HistoryLine,
  historyHeadSchema,
  readHistoryLine,
} from '#product/entrance/check-ins/door-history-schemas.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { leaveNothingBehind } from './interrupted.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, type Terminal } from './terminal.ts'

/** An imported file may have this many bytes and this many lines. */
const MAX_BYTES = 512 * 1024 * 1024
const MAX_LINES = 1_000_000
/** One write takes this many lines, so that a server beside it gets its turn in between. */
const LINES_A_WRITE = 100
/** The report lists this many bad lines one by one. */
const MOST_SHOWN = 100

/** Adds the commands that carry scans from one database to another. */
export function addScanFiles(scan: Command, terminal: Terminal): void {
  scan
    .command('export')
    .description('write what the doors of an account have done to a new file, for another server to take')
    .argument('<file>', 'the new file; one that exists is not overwritten')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout scan export /mnt/stick/scans.jsonl')
    .action(async (file: string, flags: CommonFlags & { account?: string }) => {
      const account = readAccountName(flags.account)
      const { scans, held, open } = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        const scans = await writeLines(file, exportScans(db, accountId, terminal.clock()))
        return db.read(accountId, async tx => ({
          scans,
          held: await countHeld(tx),
          open: await findOpen(tx),
        }))
      })
      if (flags.json) return printJson(terminal, { file, scans, held, open: open.scans })
      terminal.out(`Wrote ${scans} scans to ${file}.\n`)
      if (held > 0) terminal.out(`${held} that wait for a decision are not among them: decide first.\n`)
      if (open.scans > 0) terminal.out(openSentence(open))
    })
  scan
    .command('import')
    .description('take the scans from a file of scan export; twice changes nothing')
    .argument('<file>', 'the file')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout scan import /mnt/stick/scans.jsonl')
    .action(async (file: string, flags: CommonFlags) => {
      const report = await withExistingDatabase(flags, terminal.clock, db => importScans(db, file))
      for (const { line, message } of report.errors) terminal.err(`line ${line}: ${message}\n`)
      if (flags.json) printJson(terminal, report)
      else {
        const { admitted, conflicts, undone, exits, known } = report
        const left = exits === undefined ? '' : `, ${exits} exits`
        terminal.out(
          `New here: ${admitted} admitted, ${conflicts} conflicts, ${undone} undone${left}. Known already: ${known}.\n`,
        )
      }
      if (report.bad > 0) throw new Refusal(`${report.bad} lines of ${file} are bad; the others were taken.`)
    })
}

function openSentence({ scans, doors }: Awaited<ReturnType<typeof findOpen>>): string {
  return (
    `Open are ${scans}, at ${doors.join(', ')}: the phone has not said yet what the guest saw, and whom the server let in is in the file ` +
    'as let in. Have these phones send what waits, and export again before you import.\n'
  )
}

/**
 * Writes the lines to a file that only its owner may read, because it says who was where. The file gets its name only once it is
 * whole, because a file that was cut off would look like one with fewer scans.
 *
 * @returns the number of scans
 * @throws Refusal
 */
async function writeLines(file: string, batches: AsyncIterable<object[]>): Promise<number> {
  refuseExisting(file)
  const forget = leaveNothingBehind()
  const staged = new StagedFile(file)
  try {
    let count = 0
    for await (const lines of batches) {
      // The first line and those that say which entries a ticket has are no scans.
      count += lines.filter(line => 'id' in line).length
      await appendFile(staged.path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    }
    staged.place()
    return count
  } finally {
    staged.discard()
    forget()
  }
}

interface Report {
  admitted: number
  /** These scans admitted a ticket at a door while another admission held the check-in. */
  conflicts: number
  undone: number
  /** These guests have left. There is no such number if there are none. */
  exits?: number
  /** These lines brought nothing new. */
  known: number
  bad: number
  /** The first of the bad lines. */
  errors: { line: number; message: string }[]
}

/** @throws Refusal if the file holds no scans or is too large; Problem not_found if this database does not have the account */
async function importScans(db: Database, file: string): Promise<Report> {
  const { size } = await stat(file)
  if (size > MAX_BYTES) throw new Refusal(`${file} is larger than ${MAX_BYTES / 1024 / 1024} MiB.`)
  const report: Report = { admitted: 0, conflicts: 0, undone: 0, known: 0, bad: 0, errors: [] }
  let head: HistoryHead | undefined
  let number = 0
  let isRecorded = false
  let part: { number: number; text: string | undefined }[] = []
  const flush = async () => {
    const lines = part
    part = []
    if (head === undefined || lines.length === 0) return
    const { account_id: accountId } = head
    isRecorded = await takeLines(db, { accountId, head, lines, isRecorded }, report)
  }
  for await (const text of linesOf(createReadStream(file), HISTORY_LINE_BYTES)) {
    number++
    if (number > MAX_LINES)
      throw new Refusal(`${file} has more than ${MAX_LINES} lines; the first were taken.`)
    if (number === 1) {
      head = readHead(file, text)
      const { account_id } = head
      await db.read(INSTANCE, tx => findAccount(tx, account_id))
    } else if (text !== '') part.push({ number, text })
    if (part.length === LINES_A_WRITE) await flush()
  }
  if (head === undefined) throw new Refusal(`${file} is empty.`)
  await flush()
  return report
}

/** @throws Refusal */
function readHead(file: string, text: string | undefined): HistoryHead {
  const read = v.safeParse(historyHeadSchema, parse(text))
  if (!read.success) throw new Refusal(`${file} is no file of "turnout scan export" of this version.`)
  return read.output
}

interface Part {
  accountId: string
  head: HistoryHead
  lines: readonly { number: number; text: string | undefined }[]
  isRecorded: boolean
}

/**
 * Takes some lines, each on its own.
 *
 * @returns whether the access log has an entry for the import; it gets one entry, once a line changed something
 */
async function takeLines(
  db: Database,
  { accountId, head, lines, isRecorded }: Part,
  report: Report,
): Promise<boolean> {
  const work = async (tx: WriteTx) => {
    const results: Result[] = []
    for (const { number, text } of lines) results.push({ number, ...(await takeLine(tx, text)) })
    return results
  }
  const hasChanged = (results: readonly Result[]) => results.some(({ imported }) => imported?.changed)
  const results = await recordedWrite(db, commandOn(accountId), work, {
    ...{ action: 'scan.import', targetType: 'account', targetId: accountId },
    hasChanged: results => !isRecorded && hasChanged(results),
    details: () => ({ epoch: head.epoch }),
  })
  for (const { number, fault, imported, kind } of results) {
    if (fault !== undefined) {
      report.bad++
      if (report.errors.length < MOST_SHOWN) report.errors.push({ line: number, message: fault })
    } else if (kind === 'entries') continue
    else if (!imported?.changed) report.known++
    else if (kind === 'exit') report.exits = (report.exits ?? 0) + 1
    else if (imported.outcome === 'admitted') report.admitted++
    else if (imported.outcome === 'undone') report.undone++
    else report.conflicts++
  }
  return isRecorded || hasChanged(results)
}

/** Each line has this result. */
interface Result {
  number: number
  /** The reason why the line is bad. */
  fault?: string
  imported?: ImportedLine
  kind?: HistoryLine['kind']
}

async function takeLine(tx: WriteTx, text: string | undefined): Promise<Omit<Result, 'number'>> {
  if (text === undefined) return { fault: `It is longer than ${HISTORY_LINE_BYTES} bytes.` }
  const read = readHistoryLine(parse(text))
  if ('path' in read) {
    return { fault: read.path === '' ? 'It is no scan.' : `${read.path} is wrong or missing.` }
  }
  const imported = await importLine(tx, read.line)
  if (imported.outcome !== 'invalid') return { imported, kind: read.line.kind }
  return { fault: sentences[imported.reason ?? ''] ?? `It was refused: ${imported.reason}.` }
}

const sentences: Readonly<Record<string, string>> = {
  not_found: 'Its event, or the scan that it undoes, is not of this account.',
  scan_id_reused: 'Another scan has this id already.',
}

/** Returns undefined for a text that is not JSON. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
