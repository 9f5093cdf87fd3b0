import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { english, say, tell } from '#base/faults.ts'
import { oneOf } from '#base/fields.ts'
import { Refusal } from '#base/refusal.ts'
import {
  type Mapping,
  mappingSchema,
  noMapping,
  type SingleField,
  severalFields,
  singleFields,
} from '#machinery/bank-files/mapping.ts'
import type { Statement } from '#machinery/bank-files/statement.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import { type Matched, matchLines } from '#product/selling/bank-statements/matching.ts'
import type { Upload } from '#product/selling/bank-statements/schemas.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { printJson, type Terminal } from './terminal.ts'

interface ImportFlags extends CommonFlags {
  account?: string
  column?: readonly (readonly [field: string, name: string])[]
  dateOrder?: string
  decimal?: string
  guess?: boolean
  onlyRead?: boolean
}

const fields = [...singleFields, ...severalFields] as const

/** Adds the command that imports a bank's file, and matches its lines as the dashboard does. */
export function addStatementImport(group: Command, terminal: Terminal): void {
  group
    .command('import')
    .description('read the CSV of a bank, and match its lines to orders; the same file again changes nothing')
    .argument('<file>', 'the bookings, as the bank saves them')
    .addOption(accountFlag('the account that the money came to'))
    .addOption(
      flag(
        '--column <field=name>',
        `which column is what, once for each; it is kept for the next file. Fields: ${fields.join(', ')}; the last two may be several columns`,
      ).argParser(addColumn),
    )
    .addOption(flag('--date-order <order>', 'dmy or mdy, where the dates can be read in two ways'))
    .addOption(flag('--decimal <mark>', 'the comma or the point of the amounts, where it does not show'))
    .addOption(flag('--guess', 'take the columns that the names in the file speak for'))
    .addOption(flag('--only-read', 'match nothing yet: "statement start" or the dashboard does'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout statement import bookings.csv --column date=Datum --column amount=Betrag --column text=Zweck',
    )
    .action(async (path: string, flags: ImportFlags) => {
      const account = readAccountName(flags.account)
      const stated = readColumns(flags)
      const file = await open(path)
      try {
        await withExistingDatabase(flags, terminal.clock, async db => {
          const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
          const source = await sourceOf(file)
          const read = await readFile({ db, accountId, source, name: basename(path), stated, flags })
          if (flags.onlyRead) return describeFile(terminal, read, flags)
          describeFile(terminal, await matchFile(db, accountId, read.job.id), flags)
        })
      } finally {
        await file.close()
      }
    })
}

function addColumn(value: string, before: ImportFlags['column'] = []): ImportFlags['column'] {
  const at = value.indexOf('=')
  const field = value.slice(0, Math.max(at, 0))
  if (!fields.some(each => each === field))
    throw new InvalidArgumentError(`It is field=name, of a field that is ${fields.join(', ')}.`)
  return [...before, [field, value.slice(at + 1)]]
}

/** @returns undefined if no flag describes the columns @throws Problem invalid_parameter */
function readColumns({ column: given, dateOrder, decimal }: ImportFlags): Mapping | undefined {
  if (given === undefined) {
    if (dateOrder === undefined && decimal === undefined) return undefined
    throw new Refusal('--date-order and --decimal go with --column, which says what the columns are.')
  }
  const namesOf = (field: string) => given.filter(([each]) => each === field).map(([, name]) => name)
  const single = singleFields.map((field): [SingleField, string | null] => {
    const [name = null, ...more] = namesOf(field)
    if (more.length > 0) throw new Refusal(`--column ${field} is one column.`)
    return [field, name]
  })
  return readFlag('--column', mappingSchema, {
    ...{ ...noMapping, ...Object.fromEntries(single) },
    ...Object.fromEntries(severalFields.map(field => [field, namesOf(field)])),
    order: dateOrder === undefined ? null : readFlag('--date-order', oneOf(['dmy', 'mdy']), dateOrder),
    decimal: decimal === undefined ? null : readFlag('--decimal', oneOf([',', '.']), decimal),
  })
}

async function sourceOf(file: FileHandle): Promise<Source> {
  const { size } = await file.stat()
  return {
    size,
    read: async (start, end) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
      return bytes.subarray(0, bytesRead)
    },
  }
}

interface Given {
  db: Database
  accountId: string
  source: Source
  name: string
  stated: Mapping | undefined
  flags: ImportFlags
}

/**
 * Reads the lines by the columns that are stated now or were stated before. It keeps nothing of a file whose columns are not
 * known.
 */
async function readFile({ db, accountId, source, name, stated, flags }: Given): Promise<Upload> {
  const { statement, isStated } = await uploads.inspect(db, accountId, source, stated)
  const isGuess = !isStated || (stated === undefined && statement.unfit.length > 0)
  const takesGuess = isGuess && flags.guess === true && statement.missing.length === 0
  if (isGuess && !takesGuess) throw askColumns(statement)
  const [doubt] = statement.doubts
  if (doubt !== undefined) throw askDoubt(statement.mapping, doubt)
  const wanted = stated ?? (takesGuess ? statement.mapping : undefined)
  const actor = commandOn(accountId)
  // An import that was cut off goes on where it stopped.
  const open = await db.read(accountId, tx => uploads.findOpen(tx, statement.digest))
  const upload = open ?? (await uploads.upload(db, actor, source, name))
  if (upload.isUnderWay || (upload.isReady && wanted === undefined)) return upload
  return uploads.choose(db, actor, upload.job.id, wanted ?? statement.mapping)
}

function askColumns({ columns, mapping, missing }: Statement): Refusal {
  const named = `The file has the columns ${columns.map(quoted).join(', ')}.`
  const guess = flagsOf(mapping)
  if (missing.length > 0 || guess === '')
    return new Refusal(`${named} Say which of them is what with --column, such as --column date=NAME.`)
  return new Refusal(`${named} Say which of them is what, or add --guess for ${guess}.`)
}

function askDoubt(mapping: Mapping, doubt: 'order' | 'decimal'): Refusal {
  const [what, with_] =
    doubt === 'order'
      ? ['Its dates', '--date-order dmy or --date-order mdy']
      : ['Its amounts', '--decimal , or --decimal .']
  return new Refusal(`${what} can be read in two ways. Add ${with_} to ${flagsOf(mapping)}.`)
}

function flagsOf(mapping: Mapping): string {
  const named = fields.flatMap(field =>
    [mapping[field] ?? []].flat().map(name => `--column ${quoted(`${field}=${name}`)}`),
  )
  return named.join(' ')
}

const quoted = (text: string) =>
  /^[\p{L}\p{N}_=#.-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Has the lines of a file matched, here or by a running server.
 *
 * @throws Problem as `uploads.start` does; Refusal if the matching broke off
 */
export async function matchFile(db: Database, accountId: string, id: string): Promise<Upload> {
  const actor = commandOn(accountId)
  await recordedWrite(db, actor, tx => uploads.start(tx, id, actor.who), {
    ...{ action: 'statement.start', targetType: 'job', targetId: id },
  })
  const { state } = await runHere(db, accountId, id, matchLines)
  if (state === 'failed')
    throw new Refusal(`The matching of ${id} broke off. Import the file again to go on.`)
  return db.read(accountId, tx => uploads.get(tx, id))
}

/** Prints what a file would bring, or what it brought. */
export function describeFile(
  terminal: Terminal,
  { job, input, isDone }: Upload,
  { json }: CommonFlags,
): void {
  const outcome = isDone ? (job.outcome as unknown as Matched) : null
  const { id, total: lines } = job
  const { name, mapping, counts, wrong } = input
  if (json) {
    printJson(terminal, {
      ...{ id, name, lines, mapping, counts, outcome },
      wrong: wrong.map(({ fault, ...at }) => ({ ...at, message: say(english, fault) })),
    })
    return
  }
  const { known = 0, left_out: leftOut = 0, wrong: unread = 0 } = counts ?? {}
  terminal.out(`${name}: ${lines} lines, ${known} known before, ${leftOut} left out, ${unread} unreadable.\n`)
  for (const { line, field, fault } of wrong) terminal.out(`line ${line}: ${tell(field ?? 'It', fault)}\n`)
  if (outcome !== null) {
    const { confirmed, kept, returned, paid_out: payouts = 0, unmatched, ignored } = outcome
    terminal.out(`${confirmed} paid an order, ${kept} a part of one, ${returned} are owed back,\n`)
    if (payouts > 0) terminal.out(`${payouts} are payouts of Stripe, which pay no order,\n`)
    terminal.out(`${unmatched} wait for you ("turnout statement list"), ${ignored} are about no order.\n`)
  } else if (counts !== null) {
    const { matched, paid_out: payouts = 0, unmatched, ignored } = counts
    if (payouts > 0) terminal.out(`${payouts} are payouts of Stripe, which pay no order.\n`)
    terminal.out(`${matched} would be matched, ${unmatched} wait for you, ${ignored} be left out.\n`)
    terminal.out(`Match them with "turnout statement start ${id}".\n`)
  }
}
