import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#machinery/db/port.ts'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { seller } from '#test/support/people/organizer.ts'
import { type LoadProcess, ReceiverProcess, RushProcess } from './child.ts'
import { Contestant } from './contestant.ts'
import type { Filled } from './fill.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { checkIns, type Settings } from './measures.ts'
import { hold, measureMails } from './order-mails.ts'
import { measureVisits } from './order-visits.ts'
import type { RushResult } from './rush.ts'
import { ask, fillIn, openSale, orderWork, type Sale } from './sale.ts'
import { figure, median, type Row } from './table.ts'

const VISITORS = 5_000
const PLACES = 500
/** The visitors come within these seconds. */
const SECONDS = 10
/** Each takes some fifteen seconds. */
const MOST_RUSHES = 3
const MAX_WAIT = 5_000
const SCANNERS = 4
/** The pause of a scanner, in milliseconds. */
const PAUSE = 5
const CONNECTIONS = 64
const MAX_PAGE = 30 * 1024
/** A check-in beside a rush, against one without: as at the door. */
const MAX_RATIO = 5
const LEAST = 0.9
/** The share of the tickets that are left. Check-ins are measured beside visitors too. */
const SHARE = 0.6

/**
 * Measures what buyers meet when all come at once, and what the door notices of it; and what both notice of people who look at
 * their orders, and of mails that go out.
 */
export async function measureOrders(
  load: LoadProcess,
  other: LoadProcess,
  filled: Filled,
  folder: string,
  settings: Settings,
): Promise<Row[]> {
  const mails = new ReceiverProcess('mail-receiver')
  const rush = new RushProcess()
  const smtp = ['--smtp-url', `smtp://127.0.0.1:${await mails.port()}`, '--mail-from', 'tickets@example.org']
  const flags = ['--order-rate', '0', '--mail-rate', '100000', ...smtp]
  const turnout = new Contestant('turnout', filled, folder, flags)
  const db = openDatabaseForCommand(turnout.filled.data, Date.now)
  try {
    const rounds = Math.min(settings.rounds, MOST_RUSHES)
    await db.write(filled.accountId, tx => accounts.update(tx, seller))
    await hold(db, true)
    const open = await openSale(db, filled.accountId, 'open', 1_000_000)
    const rushes: Sale[] = []
    for (let n = 0; n < rounds; n++) rushes.push(await openSale(db, filled.accountId, `rush-${n}`, PLACES))
    await turnout.start()
    return [
      ...(await measurePlain(load, turnout, open, settings)),
      ...(await measureRush({ load, rush, turnout, db }, rushes)),
      ...(await measureVisits({ load, other, turnout, db }, open, settings)),
      ...(await measureMails({ load, mails, turnout, db }, open, settings)),
    ]
  } finally {
    rush.close()
    mails.close()
    await turnout.stop()
    await db.close()
  }
}

/** Measures the page of an event, and as many orders as there can be. */
async function measurePlain(
  load: LoadProcess,
  turnout: Contestant,
  sale: Sale,
  { rounds, seconds }: Settings,
): Promise<Row[]> {
  const { port, filled } = turnout
  const base = { host: '127.0.0.1', port, key: filled.key, connections: CONNECTIONS, seconds }
  const form = await fillIn(port, sale)
  const shown: LoadResult[] = []
  const ordered: LoadResult[] = []
  const processor: number[] = []
  // The first round is not counted: in it the engine still compiles what is hot.
  for (let round = -1; round < rounds; round++) {
    const visits = await load.run({ ...base, work: { kind: 'visit', path: sale.path } })
    const before = turnout.processorTime()
    const orders = await load.run({ ...base, work: orderWork(sale, form) })
    if (round < 0) continue
    processor.push(((turnout.processorTime() - before) * 1000) / orders.count)
    shown.push(visits)
    ordered.push(orders)
  }
  const row = (what: string, results: LoadResult[], least: number): Row => {
    const rate = median(results.map(({ perSecond }) => perSecond))
    const busy = Math.max(...results.map(result => result.busy))
    return {
      what,
      turnout: figure(rate),
      compared: `median / p99 ${figure(median(results.map(result => result.median)))} / ${figure(median(results.map(({ p99 }) => p99)))} ms, generator ${figure(busy * 100)} % busy`,
      target: `at least ${least.toLocaleString('en')}`,
      reached: rate >= least,
    }
  }
  const bytes = Buffer.byteLength((await ask(port, sale.path)).body)
  return [
    row('event page a second', shown, 2_000),
    row('orders submitted a second', ordered, 1_000),
    { what: '  their processor time, µs an order', turnout: figure(median(processor)), target: '' },
    {
      what: 'event page, bytes, not compressed',
      turnout: figure(bytes),
      target: `at most ${MAX_PAGE.toLocaleString('en')}`,
      reached: bytes <= MAX_PAGE,
    },
  ]
}

interface Rushing {
  load: LoadProcess
  rush: RushProcess
  turnout: Contestant
  db: Database
}

async function measureRush({ load, rush, turnout, db }: Rushing, sales: readonly Sale[]): Promise<Row[]> {
  const { port, filled } = turnout
  // The measure lies within the rush, which begins before and ends after it.
  const seconds = SECONDS - 2
  const share = Math.floor((turnout.codesLeft * SHARE) / (2 * sales.length))
  const perLoad = Math.min(Math.ceil((SCANNERS * seconds * 1000) / PAUSE), share)
  const scan = (): LoadJob => ({
    ...{ host: '127.0.0.1', port, key: filled.key, connections: SCANNERS, seconds, pause: PAUSE },
    work: checkIns(turnout, perLoad),
  })
  const results: RushResult[] = []
  const made: number[] = []
  const processor: number[] = []
  const alone: LoadResult[] = []
  const beside: LoadResult[] = []
  for (const { path, typeId, eventId } of sales) {
    alone.push(await load.run(scan()))
    const job = { host: '127.0.0.1', port, path, typeId, visitors: VISITORS, seconds: SECONDS }
    const before = turnout.processorTime()
    const rushing = rush.run(job)
    await pause(1_000)
    beside.push(await load.run(scan()))
    results.push(await rushing)
    processor.push((turnout.processorTime() - before) / 1000)
    made.push(await countOrders(db, filled.accountId, eventId))
  }
  const of = (field: 'median' | 'p99' | 'longest') => median(results.map(result => result[field]))
  const isExact = results.every(
    ({ orders, refused }, at) => orders === PLACES && refused === VISITORS - PLACES && made[at] === PLACES,
  )
  const unexpected = results.flatMap(result => Object.entries(result.unexpected).map(one => one.join(': ')))
  const times = (field: 'p99' | 'perSecond') =>
    median(beside.map((one, at) => one[field] / (alone[at]?.[field] ?? Number.NaN)))
  const busy = Math.max(...results.map(result => result.busy))
  return [
    {
      what: `${VISITORS.toLocaleString('en')} visitors in ${SECONDS} s: orders made, and who was told`,
      turnout: results
        .map(({ orders, refused }) => `${orders} and ${refused.toLocaleString('en')}`)
        .join(', '),
      compared: unexpected.join(', '),
      target: `${PLACES} and ${(VISITORS - PLACES).toLocaleString('en')}`,
      reached: isExact,
    },
    {
      what: '  their answers, median / p99 / longest, ms',
      turnout: `${figure(of('median'))} / ${figure(of('p99'))} / ${figure(of('longest'))}`,
      compared: `visitors ${figure(busy * 100)} % busy`,
      target: `p99 at most ${MAX_WAIT.toLocaleString('en')}`,
      reached: of('p99') <= MAX_WAIT,
    },
    {
      what: '  processor time of the server, check-ins too, s',
      turnout: figure(median(processor)),
      target: '',
    },
    {
      what: 'check-ins a second beside the rush',
      turnout: figure(median(beside.map(({ perSecond }) => perSecond))),
      compared: `${figure(times('perSecond'))} of that without it`,
      target: `at least ${LEAST}`,
      reached: times('perSecond') >= LEAST,
    },
    {
      what: '  their p99, ms',
      turnout: figure(median(beside.map(({ p99 }) => p99))),
      compared: `${figure(times('p99'))} x idle`,
      target: `under ${MAX_RATIO} x idle`,
      reached: times('p99') < MAX_RATIO,
    },
  ]
}

async function countOrders(db: Database, accountId: string, eventId: string): Promise<number> {
  const made = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: VISITORS }))
  return made.length
}
