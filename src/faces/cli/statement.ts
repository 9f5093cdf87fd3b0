import type { Command } from 'commander'
import { oneOf, uuid } from '#base/fields.ts'
import { toDecimal } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import { Refusal } from '#base/refusal.ts'
import { INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import * as lines from '#product/selling/bank-statements/rules.ts'
import type { BankLine, Upload } from '#product/selling/bank-statements/schemas.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, wholeNumber } from './flags.ts'
import { accountFlag, findAccount, readAccountName } from './names.ts'
import { addStatementImport, describeFile, matchFile } from './statement-import.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

const MAX_LISTED = 10_000
const LATEST = 20
const EXAMPLE_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
const OTHER_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e50'
const states = ['unmatched', 'matched', 'ignored'] as const

interface AccountFlags extends CommonFlags {
  account?: string
}

/** Adds the commands that handle bank statements without the dashboard. */
export function addStatement(program: Command, terminal: Terminal): void {
  const statement = program.command('statement').description('transfers, by the statements of a bank')
  addStatementImport(statement, terminal)
  addStart(statement, terminal)
  addList(statement, terminal)
  for (const work of works) addWork(statement, terminal, work)
}

function addStart(group: Command, terminal: Terminal): void {
  group
    .command('start')
    .description('match the lines of a file that was only read')
    .argument('<file>', 'its id')
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', `\nExample:\n  $ turnout statement start ${EXAMPLE_ID}`)
    .action(async (argument: string, flags: AccountFlags) => {
      const id = readFlag('The id', uuid, argument)
      const account = readAccountName(flags.account)
      const done = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        return explained(() => matchFile(db, accountId, id))
      })
      describeFile(terminal, done, flags)
    })
}

interface ListFlags extends AccountFlags {
  state: string
  files?: boolean
  limit: string
}

function addList(group: Command, terminal: Terminal): void {
  group
    .command('list')
    .description('list lines, newest first; with --files, the latest files')
    .addOption(accountFlag('the account'))
    .addOption(flag('--state <state>', `those that are ${states.join(', ')}`).default('unmatched'))
    .addOption(flag('--files', 'the latest files instead'))
    .addOption(flag('--limit <number>', 'at most so many').default('100'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout statement list --state matched')
    .action(async (flags: ListFlags) => {
      const account = readAccountName(flags.account)
      const state = readFlag('--state', oneOf(states), flags.state)
      const limit = readFlag('--limit', wholeNumber(1, MAX_LISTED), flags.limit)
      await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        if (flags.files) {
          const latest = await db.read(accountId, tx => uploads.listLatest(tx, Math.min(limit, LATEST)))
          const files = latest.map(toFile)
          return flags.json ? printJson(terminal, { data: files }) : printFiles(terminal, files)
        }
        const page = { limit, after: undefined }
        const found = await db.read(accountId, tx => lines.listLines(tx, state, page))
        const data = [...found].map(({ resource }) => resource)
        return flags.json ? printJson(terminal, { data }) : printLines(terminal, data)
      })
    })
}

/** Returns a file as `--json` prints it. */
function toFile({ job, input, isDone, isReady, isUnderWay }: Upload) {
  const state = isDone ? 'done' : isUnderWay ? 'under_way' : isReady ? 'read' : 'open'
  return { id: job.id, name: input.name, lines: job.total, state, created_at: job.created_at }
}

function printFiles(terminal: Terminal, rows: readonly ReturnType<typeof toFile>[]): void {
  printTable(
    terminal,
    ['FILE', 'NAME', 'LINES', 'STATE', 'CREATED'],
    rows.map(row => [row.id, row.name, row.lines, row.state, row.created_at]),
  )
}

function printLines(terminal: Terminal, rows: readonly BankLine[]): void {
  printTable(
    terminal,
    ['LINE', 'DAY', 'AMOUNT', 'BY', 'TEXT', 'STATE', 'PAYMENT'],
    rows.map(row => [
      ...[row.id, row.date, `${toDecimal(row.amount, row.currency)} ${row.currency}`, row.counterparty],
      ...[row.text, row.outcome ?? row.reason ?? row.state, row.payment_id],
    ]),
  )
}

interface Work {
  name: 'match' | 'paid-back' | 'ignore' | 'restore' | 'undo'
  description: string
  /** The command matches the line to this. */
  other?: 'payment' | 'refund'
  act: (tx: WriteTx, id: string, other: string) => Promise<BankLine>
}

const works: readonly Work[] = [
  {
    name: 'match',
    description: 'say which payment a line is of; its order is confirmed once enough has come',
    other: 'payment',
    act: lines.match,
  },
  {
    name: 'paid-back',
    description: 'say which refund a line that went out has paid',
    other: 'refund',
    act: lines.matchRefund,
  },
  {
    name: 'ignore',
    description: 'leave a line out, as it is about no order',
    act: (tx, id) => lines.setIgnored(tx, id, true),
  },
  {
    name: 'restore',
    description: 'take up again a line that was left out',
    act: (tx, id) => lines.setIgnored(tx, id, false),
  },
  { name: 'undo', description: 'undo a match before anything has come of its money', act: lines.unmatch },
]

interface WorkFlags extends AccountFlags {
  anyway?: boolean
}

function addWork(group: Command, terminal: Terminal, { name, description, other, act }: Work): void {
  const command = group.command(name).description(description).argument('<line>', 'its id')
  if (other !== undefined) command.argument(`<${other}>`, 'its id')
  if (name === 'match')
    command.addOption(flag('--anyway', 'although its money seems to be matched already, or noted as paid'))
  command
    .addOption(accountFlag('the account'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      `\nExample:\n  $ turnout statement ${name} ${EXAMPLE_ID}${other === undefined ? '' : ` ${OTHER_ID}`}`,
    )
    .action(async (...given: [string, string, WorkFlags] | [string, WorkFlags]) => {
      const id = readFlag('The id', uuid, given[0])
      const to = other === undefined ? '' : readFlag(`The ${other}`, uuid, given[1])
      const flags = given[other === undefined ? 1 : 2] as WorkFlags
      const account = readAccountName(flags.account)
      const line = await withExistingDatabase(flags, terminal.clock, async db => {
        const accountId = await db.read(INSTANCE, tx => findAccount(tx, account))
        const work = async (tx: WriteTx) => {
          const isChecked = name === 'match' && !flags.anyway
          if (isChecked && (await lines.previewMatch(tx, id, to)).isDoubtful)
            throw new Problem('invalid_transition', { details: { reason: 'line_doubtful' } })
          return act(tx, id, to)
        }
        return explained(() =>
          recordedWrite(db, commandOn(accountId), work, {
            action: `statement_line.${name === 'paid-back' ? 'match' : name}`,
            ...{ targetType: 'statement_line', targetId: id },
            details: (_, made) => ({ payment_id: made?.payment_id, refund_id: made?.refund_id }),
          }),
        )
      })
      if (flags.json) return printJson(terminal, line)
      printLines(terminal, [line])
    })
}

const sentences: Readonly<Record<string, string>> = {
  line_currency: 'Its money is of another currency.',
  line_doubtful: 'Its money seems to be matched already, or was noted as paid. If it is not, add --anyway.',
  line_ended: 'It is matched already.',
  line_outgoing: 'It is money that went out.',
  line_refund: 'The refund is of another amount, or is not paid by hand.',
  money_used: 'Something has come of its money: tickets are out, or it is owed back.',
  statement_not_read: 'Its lines were not read yet: import it again.',
}

/** Replaces a rule's refusal by the command line's own sentence, because each face has its own. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Problem ? error.details?.reason : undefined
    const sentence = typeof reason === 'string' ? sentences[reason] : undefined
    throw sentence === undefined ? error : new Refusal(sentence)
  }
}
