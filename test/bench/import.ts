import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#machinery/db/port.ts'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { toCsv } from '#machinery/tables/csv.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { seller } from '#test/support/people/organizer.ts'
import { asCsv, behindAnotherSheet, many, PRETIX } from '#test/support/shop-exports.ts'
import type { LoadProcess } from './child.ts'
import { Contestant } from './contestant.ts'
import type { Filled } from './fill.ts'
import { hiddenOf } from './form.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { hardlyAnything, type Settings } from './measures.ts'
import { hold } from './order-mails.ts'
import { fillIn, openSale, orderWork, type Sale } from './sale.ts'
import { figure, median, type Row } from './table.ts'

const LINES = 20_000
const TYPE = 'Ticket – Student'
/** Somebody asks so often for nothing, in milliseconds. */
const ASK_EVERY = 2
/** This many people order beside an import: so few that they wait for each other no more than the server makes them. */
const BUYERS = 8
const BUYERS_PAUSE = 20

const MOST_STOP = 50
const MOST_TIMES = 1.5
const MAX_RATIO = 5

interface Measuring {
  load: LoadProcess
  other: LoadProcess
  turnout: Contestant
  db: Database
}

/** What a step of an import takes, and what somebody who asks for nothing waits meanwhile. */
interface Step {
  seconds: number
  longest: number
  median: number
  /** What the main thread worked, in milliseconds. */
  processor: number
}

/**
 * Measures how a file of guests comes in: it is uploaded, its lines are checked, and they are imported. The same people come from a
 * plain table and from the export of a shop.
 */
export async function measureImport(
  load: LoadProcess,
  other: LoadProcess,
  filled: Filled,
  folder: string,
  settings: Settings,
): Promise<Row[]> {
  const turnout = new Contestant('turnout', filled, folder, ['--order-rate', '0', '--mail-rate', '1'])
  const db = openDatabaseForCommand(turnout.filled.data, Date.now)
  try {
    await db.write(filled.accountId, tx => accounts.update(tx, seller))
    await hold(db, true)
    await turnout.start()
    const at = { load, other, turnout, db }
    const export_ = many(PRETIX, LINES)
    const files: [what: string, name: string, file: Buffer][] = [
      ['a plain .csv', 'plain.csv', Buffer.from(toCsv(plainOf(export_)))],
      ["pretix' .csv", 'pretix.csv', asCsv(export_)],
      ["pretix' .xlsx", 'pretix.xlsx', behindAnotherSheet(export_)],
    ]
    const rows: Row[] = []
    let plain: number | undefined
    for (const [number, [what, name, file]] of files.entries()) {
      const sale = await openFor(db, filled.accountId, `import-${number}`)
      const read = await beside(at, () => upload(at, sale, { name, file }))
      const checked = await beside(at, () => ended(at, read.result))
      const started = await start(at, sale, checked.result)
      const imported = await beside(at, () => ended(at, started))
      if (imported.result.outcome?.added !== LINES) throw new Error(`Not all lines of ${name} were added.`)
      const seconds = read.seconds + checked.seconds + imported.seconds
      plain ??= seconds
      rows.push(...toRows(what, { read, checked, imported }, { seconds, plain }))
    }
    const [, [, name, file] = ['', '', Buffer.of()]] = files
    rows.push(await measureOrders(at, { name, file }, settings))
    const { now, peak } = turnout.memory()
    return [
      ...rows,
      {
        what: 'resident memory after the imports / at its peak, MiB',
        turnout: `${figure(now)} / ${figure(peak)}`,
        target: '',
      },
    ]
  } finally {
    await turnout.stop()
    await db.close()
  }
}

/** The columns of an export that any table could have, under names of its own. */
const PLAIN: readonly (readonly [from: string, name: string])[] = [
  ['Attendee name', 'Name'],
  ['Attendee email', 'Email'],
  ['Variation', 'Ticket type'],
  ['Order code', 'Reference'],
  ['Seat name', 'Seat'],
  ['What do you eat?', 'What do you eat?'],
]

function plainOf([columns = [], ...lines]: readonly (readonly string[])[]): string[][] {
  const places = PLAIN.map(([from]) => columns.indexOf(from))
  const kept = lines.map(cells => places.map(at => cells[at] ?? ''))
  return [
    PLAIN.map(([, name]) => name),
    ...kept.map(cells => cells.map((cell, at) => (at === 2 ? TYPE : cell))),
  ]
}

/** Opens an event with places for all of a file. */
async function openFor(db: Database, accountId: string, slug: string): Promise<Sale> {
  const sale = await openSale(db, accountId, slug, 1_000_000)
  await db.write(accountId, tx =>
    registrationTypes.create(tx, sale.eventId, {
      ...{ name: TYPE, description: null, price: 0, capacity: LINES, active: false },
      ...{ sales_start: null, sales_end: null, valid_from: null, valid_until: null },
    }),
  )
  return sale
}

interface Chosen {
  name: string
  file: Buffer
}

/** Uploads a file as a browser does, and returns the id of its upload. */
async function upload({ turnout }: Measuring, { eventId }: Sale, { name, file }: Chosen): Promise<string> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(file)], name))
  return answered(await send(turnout, `/manage/e/${eventId}/guests/import`, form), /import\/([^/]+)\/columns/)
}

/** Starts the import of an upload that was checked, and returns the id of its job. */
async function start({ turnout, db }: Measuring, { eventId }: Sale, { id }: Job): Promise<string> {
  const path = `/manage/e/${eventId}/guests/import/${id}/start`
  const page = await send(turnout, path)
  answered(await send(turnout, path, hiddenOf(await page.text())), /import\/([^/?]+)/)
  const { imported } = await db.read(turnout.filled.accountId, tx => imports.get(tx, id))
  if (imported === undefined) throw new Error('The import has not begun.')
  return imported.id
}

function send({ port, filled }: Contestant, path: string, body?: FormData | URLSearchParams) {
  const origin = `http://127.0.0.1:${port}`
  const headers = { cookie: filled.cookies[0] as string, origin }
  const method = body === undefined ? 'GET' : 'POST'
  return fetch(`${origin}${path}`, { method, headers, body: body ?? null, redirect: 'manual' })
}

function answered({ status, headers }: Response, expected: RegExp): string {
  const found = expected.exec(headers.get('location') ?? '')?.[1]
  if (found === undefined) throw new Error(`A step of the import was answered ${status}.`)
  return found
}

async function ended({ db, turnout }: Measuring, id: string): Promise<Job> {
  for (;;) {
    const job = await db.read(turnout.filled.accountId, tx => jobs.get(tx, id))
    if (job.state === 'done') return job
    if (job.state === 'failed' || job.state === 'stopped') throw new Error(`The job is ${job.state}.`)
    await pause(20)
  }
}

/** Does a step while somebody asks for nothing, over and over. */
async function beside<Result>(
  { other, turnout }: Measuring,
  step: () => Promise<Result>,
): Promise<Step & { result: Result }> {
  const { port, filled } = turnout
  const job: LoadJob = {
    ...{ host: '127.0.0.1', port, key: filled.key, connections: 1, seconds: 1, pause: ASK_EVERY },
    work: hardlyAnything(filled),
  }
  const asked: LoadResult[] = []
  let isOver = false
  const asking = (async () => {
    do asked.push(await other.run(job))
    while (!isOver)
  })()
  const before = turnout.mainThreadTime()
  const began = performance.now()
  const result = await step()
  const seconds = (performance.now() - began) / 1000
  const processor = turnout.mainThreadTime() - before
  isOver = true
  await asking
  const longest = Math.max(...asked.map(one => one.longest))
  return { result, seconds, processor, longest, median: median(asked.map(one => one.median)) }
}

/** Measures orders while nothing is imported, and while a file is. */
async function measureOrders(at: Measuring, chosen: Chosen, { rounds, seconds }: Settings): Promise<Row> {
  const { load, turnout, db } = at
  const { port, filled } = turnout
  const sale = await openFor(db, filled.accountId, 'import-orders')
  const job: LoadJob = {
    ...{ host: '127.0.0.1', port, key: filled.key, connections: BUYERS, seconds, pause: BUYERS_PAUSE },
    work: orderWork(sale, await fillIn(port, sale)),
  }
  const id = await upload(at, sale, chosen)
  const started = await start(at, sale, await ended(at, id))
  const beside: LoadResult[] = []
  for (let round = 0; round < rounds; round++) beside.push(await load.run(job))
  await ended(at, started)
  const without: LoadResult[] = []
  for (let round = 0; round < rounds; round++) without.push(await load.run(job))
  const of = (results: readonly LoadResult[], field: 'median' | 'p99') =>
    median(results.map(one => one[field]))
  const times = (field: 'median' | 'p99') => of(beside, field) / of(without, field)
  return {
    what: 'an order while a file is imported, median / p99, ms',
    turnout: `${figure(of(beside, 'median'))} / ${figure(of(beside, 'p99'))}`,
    compared: `${figure(times('median'))} / ${figure(times('p99'))} x that without`,
    target: `p99 under ${MAX_RATIO} x`,
    reached: times('p99') < MAX_RATIO,
  }
}

interface Steps {
  read: Step
  checked: Step
  imported: Step
}

function toRows(
  what: string,
  { read, checked, imported }: Steps,
  of: { seconds: number; plain: number },
): Row[] {
  const steps = [read, checked, imported]
  const longest = Math.max(...steps.map(step => step.longest))
  const ratio = of.seconds / of.plain
  return [
    {
      what: `${LINES.toLocaleString('en')} lines of ${what}, read / checked / imported, s`,
      turnout: steps.map(({ seconds }) => figure(seconds)).join(' / '),
      compared: `${figure(ratio)} x the plain one, ${figure(LINES / imported.seconds)} lines a second`,
      target: `at most ${MOST_TIMES} x`,
      reached: ratio <= MOST_TIMES,
    },
    {
      what: '  its processor time with what is asked beside it, µs a line',
      turnout: steps.map(({ processor }) => figure((processor * 1000) / LINES)).join(' / '),
      target: '',
    },
    {
      what: '  the longest wait of somebody who asks for nothing beside it, ms',
      turnout: steps.map(step => figure(step.longest)).join(' / '),
      compared: `median ${steps.map(step => figure(step.median)).join(' / ')} ms`,
      target: `at most ${MOST_STOP}`,
      reached: longest <= MOST_STOP,
    },
  ]
}
