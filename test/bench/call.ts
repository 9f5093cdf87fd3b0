import { setTimeout as pause } from 'node:timers/promises'
import { HOUR } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import { seller } from '#test/support/people/organizer.ts'
import { begin, openCall } from '#test/support/submissions.ts'
import type { AuthorsResult } from './authors.ts'
import { AuthorsProcess, type LoadProcess } from './child.ts'
import { Contestant } from './contestant.ts'
import type { Filled } from './fill.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { checkIns, hardlyAnything } from './measures.ts'
import { hold } from './order-mails.ts'
import { openSale } from './sale.ts'
import { figure, type Row } from './table.ts'

const AUTHORS = 500
/** They save so often, in seconds. */
const EVERY = 15
const FILES = 64
const SIZE = 5 * 1024 ** 2
/** All of it takes so many seconds. */
const SECONDS = 45
const SCANNERS = 4
/** The pause of a scanner, in milliseconds. */
const PAUSE = 20
/** Before the hour, so many write and attach a file: a call has been open for weeks then, and the engine has compiled its forms. */
const FIRST = 5
/** How often somebody asks for nothing, in milliseconds. */
const ASK_EVERY = 10

const MOST_SAVE = 500
const MOST_FILE = 2_000
const MOST_STOP = 50
/** A check-in beside authors, against one without: as at the door. */
const MAX_RATIO = 5

/** Measures the last hour of a call for abstracts, as one load: authors who save and send, files beside them, and the door. */
export async function measureCall(
  load: LoadProcess,
  other: LoadProcess,
  filled: Filled,
  folder: string,
): Promise<Row[]> {
  const turnout = new Contestant('turnout', filled, folder, ['--mail-rate', '1'])
  const db = openDatabaseForCommand(turnout.filled.data, Date.now)
  const authors = new AuthorsProcess()
  try {
    await db.write(filled.accountId, tx => accounts.update(tx, seller))
    await hold(db, true)
    const paths = await prepare(db, filled.accountId)
    await turnout.start()
    const at = { host: '127.0.0.1', port: turnout.port, key: filled.key }
    const scan = (): LoadJob => ({
      ...{ ...at, connections: SCANNERS, pause: PAUSE },
      seconds: SECONDS / 2,
      work: checkIns(turnout, Math.ceil((SCANNERS * SECONDS * 500) / PAUSE)),
    })
    const job = { host: at.host, port: at.port, size: SIZE }
    await authors.run({
      ...{ ...job, writing: paths.splice(0, FIRST), attaching: paths.splice(0, FIRST), every: 1, seconds: 5 },
    })
    const attaching = paths.splice(0, FILES)
    const alone = await load.run(scan())
    const before = turnout.processorTime()
    // In a process of its own, because what holds the authors up themselves is no stop of the server.
    const asking = other.run({
      ...{ ...at, connections: 1, seconds: SECONDS, pause: ASK_EVERY },
      work: hardlyAnything(filled),
    })
    const running = authors.run({ ...job, writing: paths, attaching, every: EVERY, seconds: SECONDS })
    await pause((SECONDS * 1000) / 4)
    const beside = await load.run(scan())
    const result = await running
    const processor = (turnout.processorTime() - before) / 1000
    return toRows(result, { alone, beside, asked: await asking, processor })
  } finally {
    authors.close()
    await turnout.stop()
    await db.close()
  }
}

/** Opens a call that ends soon, and begins the abstracts. @returns their paths */
async function prepare(db: Database, accountId: string): Promise<string[]> {
  const { eventId } = await openSale(db, accountId, 'call', 10)
  const place = { db, accountId, eventId, clock: Date.now }
  await openCall(place, { closes_at: Date.now() + HOUR, file: 'optional', max_file_mib: 5 })
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )
  const server = { baseUrl: '', secret: row?.secret as string }
  const paths: string[] = []
  for (let number = 0; number < AUTHORS + FILES + 2 * FIRST; number++) {
    const { submission, submitter } = await begin(place, { email: `author-${number}@example.org` })
    paths.push(submissionUrl(server, submitter, submission))
  }
  return paths
}

function toRows(
  { saves, sends, files, unexpected, busy }: AuthorsResult,
  {
    alone,
    beside,
    asked,
    processor,
  }: Record<'alone' | 'beside' | 'asked', LoadResult> & { processor: number },
): Row[] {
  const wrong = Object.entries(unexpected).map(one => one.join(': '))
  const of = ({ median, p99, longest }: AuthorsResult['saves']) =>
    [median, p99, longest].map(figure).join(' / ')
  const count = (number: number) => number.toLocaleString('en')
  const ratio = beside.p99 / alone.p99
  return [
    {
      what: `${AUTHORS} authors at the end of a call: saved and sent`,
      turnout: `${count(saves.count)} and ${count(sends.count)}`,
      compared: wrong.length > 0 ? wrong.join(', ') : `authors ${figure(busy * 100)} % busy`,
      target: `${AUTHORS} sent`,
      reached: sends.count === AUTHORS && files.count === FILES && wrong.length === 0,
    },
    {
      what: '  a save, median / p99 / longest, ms',
      turnout: of(saves),
      target: `p99 under ${MOST_SAVE}`,
      reached: saves.p99 < MOST_SAVE,
    },
    { what: '  sending, three requests, median / p99 / longest, ms', turnout: of(sends), target: '' },
    {
      what: `  ${FILES} files of 5 MB beside them: from the last byte to the answer, ms`,
      turnout: of(files),
      target: `at most ${count(MOST_FILE)}`,
      reached: files.longest <= MOST_FILE,
    },
    {
      what: '  the longest wait of somebody who asks for nothing, ms',
      turnout: figure(asked.longest),
      compared: `median / p99 ${figure(asked.median)} / ${figure(asked.p99)} ms`,
      target: `at most ${MOST_STOP}`,
      reached: asked.longest <= MOST_STOP,
    },
    { what: '  processor time of the server, check-ins too, s', turnout: figure(processor), target: '' },
    {
      what: '  p99 of a check-in beside them, ms',
      turnout: figure(beside.p99),
      compared: `${figure(ratio)} x idle`,
      target: `under ${MAX_RATIO} x idle`,
      reached: ratio < MAX_RATIO,
    },
  ]
}
