import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import * as v from 'valibot'
import { recordedWrite } from '../access-log/recorded-write.ts'
import { commandOn } from '../access-log/rules.ts'
import { type CarriedHead, carriedHeadSchema, readCarried } from '../checkins/carried-schemas.ts'
import { type Brought, bring, countHeld, exportScans } from '../checkins/carrying.ts'
import type { Database, WriteTx } from '../db/port.ts'
import { linesOf } from '../files/lines.ts'
import { Refusal } from '../refusal.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, jsonFlag } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, type Terminal } from './terminal.ts'

/** Bytes of a file that is brought, lines of it, and bytes of one of these. */
const MAX_BYTES = 512 * 1024 * 1024
const MAX_LINES = 1_000_000
const MAX_LINE = 4_000
/** Lines of one write: a server beside it gets its turn in between. */
const LINES_A_WRITE = 100
/** Bad lines that are told of one by one. */
const MOST_TOLD = 100

/** Commands that carry scans from one database to another. */
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
      const { lines, held } = await withExistingDatabase(flags.data, terminal.clock, async db => {
        const accountId = await db.read(tx => findAccount(tx, account))
        const lines = await writeLines(file, exportScans(db, accountId, terminal.clock()))
        return { lines: lines - 1, held: await db.read(tx => countHeld(tx, accountId)) }
      })
      if (flags.json) return printJson(terminal, { file, scans: lines, held })
      terminal.out(`Wrote ${lines} scans to ${file}.\n`)
      if (held > 0) terminal.out(`${held} that wait for a decision are not among them: decide first.\n`)
    })
  scan
    .command('import')
    .description('take the scans from a file of scan export; twice changes nothing')
    .argument('<file>', 'the file')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout scan import /mnt/stick/scans.jsonl')
    .action(async (file: string, flags: CommonFlags) => {
      const report = await withExistingDatabase(flags.data, terminal.clock, db => importScans(db, file))
      for (const { line, message } of report.errors) terminal.err(`line ${line}: ${message}\n`)
      if (flags.json) printJson(terminal, report)
      else {
        const { admitted, conflicts, undone, known } = report
        terminal.out(
          `Brought: ${admitted} admitted, ${conflicts} conflicts, ${undone} undone. Known: ${known}.\n`,
        )
      }
      if (report.bad > 0) throw new Refusal(`${report.bad} lines of ${file} are bad; the others were taken.`)
    })
}

/** @returns how many */
async function writeLines(file: string, batches: AsyncIterable<object[]>): Promise<number> {
  const handle = await openNew(file)
  let count = 0
  try {
    for await (const lines of batches) {
      count += lines.length
      await handle.write(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    }
    await handle.sync()
    await handle.close()
    return count
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw error
  }
}

/** For its owner alone: it says who was where. @throws Refusal */
async function openNew(file: string) {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Refusal(`${file} exists already, and is not overwritten.`)
  }
}

interface Report {
  admitted: number
  /** Admitted at a door, while another admission held the check-in. */
  conflicts: number
  undone: number
  /** Lines that brought nothing new. */
  known: number
  bad: number
  /** The first of the bad ones. */
  errors: { line: number; message: string }[]
}

/** @throws Refusal for a file that is none of scans, or too large; Problem not_found where the account is not here */
async function importScans(db: Database, file: string): Promise<Report> {
  const { size } = await stat(file)
  if (size > MAX_BYTES) throw new Refusal(`${file} is larger than ${MAX_BYTES / 1024 / 1024} MiB.`)
  const report: Report = { admitted: 0, conflicts: 0, undone: 0, known: 0, bad: 0, errors: [] }
  let head: CarriedHead | undefined
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
  for await (const text of linesOf(createReadStream(file), MAX_LINE)) {
    number++
    if (number > MAX_LINES)
      throw new Refusal(`${file} has more than ${MAX_LINES} lines; the first were taken.`)
    if (number === 1) {
      head = readHead(file, text)
      const { account_id } = head
      await db.read(tx => findAccount(tx, account_id))
    } else if (text !== '') part.push({ number, text })
    if (part.length === LINES_A_WRITE) await flush()
  }
  if (head === undefined) throw new Refusal(`${file} is empty.`)
  await flush()
  return report
}

/** @throws Refusal */
function readHead(file: string, text: string | undefined): CarriedHead {
  const read = v.safeParse(carriedHeadSchema, parse(text))
  if (!read.success) throw new Refusal(`${file} is no file of "turnout scan export" of this version.`)
  return read.output
}

interface Part {
  accountId: string
  head: CarriedHead
  lines: readonly { number: number; text: string | undefined }[]
  isRecorded: boolean
}

/** Takes some lines, each for itself. @returns whether the import is in the access log: once, where it changed something */
async function takeLines(
  db: Database,
  { accountId, head, lines, isRecorded }: Part,
  report: Report,
): Promise<boolean> {
  const work = async (tx: WriteTx) => {
    const results: Result[] = []
    for (const { number, text } of lines) results.push({ number, ...(await takeLine(tx, accountId, text)) })
    return results
  }
  const hasChanged = (results: readonly Result[]) => results.some(({ brought }) => brought?.changed)
  const results = await recordedWrite(db, commandOn(accountId), work, {
    ...{ action: 'scan.import', targetType: 'account', targetId: accountId },
    hasChanged: results => !isRecorded && hasChanged(results),
    details: () => ({ epoch: head.epoch }),
  })
  for (const { number, fault, brought } of results) {
    if (fault !== undefined) {
      report.bad++
      if (report.errors.length < MOST_TOLD) report.errors.push({ line: number, message: fault })
    } else if (!brought?.changed) report.known++
    else if (brought.outcome === 'admitted') report.admitted++
    else if (brought.outcome === 'undone') report.undone++
    else report.conflicts++
  }
  return isRecorded || hasChanged(results)
}

/** What came of a line. */
interface Result {
  number: number
  /** Why it is bad. */
  fault?: string
  brought?: Brought
}

async function takeLine(
  tx: WriteTx,
  accountId: string,
  text: string | undefined,
): Promise<Omit<Result, 'number'>> {
  if (text === undefined) return { fault: `It is longer than ${MAX_LINE} bytes.` }
  const read = readCarried(parse(text))
  if ('path' in read) {
    return { fault: read.path === '' ? 'It is no scan.' : `${read.path} is wrong or missing.` }
  }
  const brought = await bring(tx, accountId, read.line)
  if (brought.outcome !== 'invalid') return { brought }
  return { fault: sentences[brought.reason ?? ''] ?? `It was refused: ${brought.reason}.` }
}

const sentences: Readonly<Record<string, string>> = {
  not_found: 'Its event, or the scan that it undoes, is not of this account.',
  scan_id_reused: 'Another scan has this id already.',
}

/** Undefined for what is no JSON. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
