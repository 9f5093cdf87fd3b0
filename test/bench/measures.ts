import { Cursors } from '#machinery/db/cursors.ts'
import { readInstance } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import type { LoadProcess } from './child.ts'
import { type Contestant, FLOORS, type Floor, type Name } from './contestant.ts'
import type { Filled } from './fill.ts'
import type { LoadResult, LoadWork } from './load.ts'
import { figure, median, type Row } from './table.ts'

export interface Settings {
  rounds: number
  /** The length of one load. */
  seconds: number
}

/** Check-ins of one round at most: each needs a ticket of its own. */
const CHECK_INS_PER_ROUND = 12_000
/** The share of the tickets. Other measures need some too. */
const SHARE = 1 / 3
const CONNECTIONS = 64
/** The page that is held against the first: as far down as three quarters of the list. */
const DEEP = 0.75
export const PAGE = 25

/** A load, with what it cost the server: the figure that a busy machine changes least. */
export interface Measured extends LoadResult {
  /** The processor time of all threads together, in microseconds a request. */
  processor: number
  /** The same of the main thread. */
  mainThread: number
}

export type Results = Record<Name, Measured[]>

/** The most that each operation may take of the main thread, in times of the floor of the packages. */
const MOST_TIMES = { read: 1.25, import: 2, checkIn: 1.8 }

/** One load after another, in turns, so that a drift of the machine meets all of them alike. */
export async function inTurns(
  load: LoadProcess,
  contestants: readonly Contestant[],
  settings: Settings,
  connections: number,
  workOf: (contestant: Contestant) => LoadWork,
): Promise<Results> {
  const results: Results = { turnout: [], bare: [], naive: [], packages: [], postgres: [] }
  // The first round is not counted: in it the engine still compiles what is hot.
  for (let round = -1; round < settings.rounds; round++) {
    for (const contestant of contestants) {
      const { port, filled } = contestant
      const work = workOf(contestant)
      const { seconds } = settings
      const job = { host: '127.0.0.1', port, key: filled.key, connections, seconds, work }
      const before = { all: contestant.processorTime(), main: contestant.mainThreadTime() }
      const result = await load.run(job)
      if (round < 0) continue
      const each = (milliseconds: number) => (milliseconds * 1000) / result.count
      results[contestant.name].push({
        ...result,
        processor: each(contestant.processorTime() - before.all),
        mainThread: each(contestant.mainThreadTime() - before.main),
      })
    }
  }
  return results
}

export function imports(contestant: Contestant): LoadWork {
  const { eventId, typeId } = contestant.filled
  return { kind: 'import', eventId, typeId, name: contestant.nextLoad() }
}

export function checkIns(contestant: Contestant, count: number): LoadWork {
  return { kind: 'check-in', codes: contestant.takeCodes(count), name: contestant.nextLoad() }
}

/** What somebody asks for who takes no work, and so notices how long the server stands still. */
export function hardlyAnything({ someIds }: Filled): LoadWork {
  return { kind: 'get', paths: [`/v1/registrations/${someIds[0]}`] }
}

/** Measures the three operations that the floors answer too. */
export async function measureThroughput(
  load: LoadProcess,
  contestants: readonly Contestant[],
  settings: Settings,
): Promise<Row[]> {
  const imported = await inTurns(load, contestants, settings, CONNECTIONS, imports)
  const left = Math.min(...contestants.map(({ codesLeft }) => codesLeft))
  const perRound = Math.min(CHECK_INS_PER_ROUND, Math.floor((left * SHARE) / (settings.rounds + 1)))
  const checkedIn = await inTurns(load, contestants, settings, CONNECTIONS, contestant =>
    checkIns(contestant, perRound),
  )
  const read = await inTurns(load, contestants, settings, CONNECTIONS, ({ filled }) => ({
    kind: 'get',
    paths: filled.someIds.map(id => `/v1/registrations/${id}`),
  }))
  const written = { bare: 0.6, naive: 2 }
  return [
    ...compare(`imports a second, ${CONNECTIONS} connections`, imported, written, MOST_TIMES.import),
    ...compare(
      `check-ins a second by QR, ${CONNECTIONS} connections`,
      checkedIn,
      written,
      MOST_TIMES.checkIn,
    ),
    ...compare('GET /registrations/{id} a second', read, { bare: 0.6 }, MOST_TIMES.read),
  ]
}

/**
 * @param least how many times the rate of each floor
 * @param most how many times what the floor of the packages takes of its main thread
 */
function compare(what: string, results: Results, least: Partial<Record<Floor, number>>, most: number): Row[] {
  const measured = FLOORS.filter(name => results[name].length > 0)
  const of = (name: Name, value: (one: Measured) => number) => median(results[name].map(value))
  /** Only rounds side by side had the same machine, so ratios are of those. */
  const ratio = (name: Name, value: (one: Measured) => number) =>
    median(
      results.turnout.map((one, round) => {
        const other = results[name][round]
        return other === undefined ? Number.NaN : value(one) / value(other)
      }),
    )
  const all = (text: (name: Name) => string) => ({
    turnout: text('turnout'),
    ...Object.fromEntries(measured.map(name => [name, text(name)])),
  })
  const times = (names: readonly Floor[], value: (one: Measured) => number) =>
    names.map(name => `${figure(ratio(name, value))} x ${name}`).join(', ')
  const rate = (one: Measured) => one.perSecond
  const processor = (one: Measured) => one.processor
  const mainThread = (one: Measured) => one.mainThread
  const targets = measured.filter(name => least[name] !== undefined)
  const busy = Math.max(
    ...Object.values(results)
      .flat()
      .map(result => result.busy),
  )
  return [
    {
      what,
      ...all(name => figure(of(name, rate))),
      compared: times(measured, rate),
      target: targets.map(name => `at least ${least[name]} x ${name}`).join(', '),
      reached: targets.every(name => ratio(name, rate) >= (least[name] as number)),
    },
    {
      what: '  its median / p99, ms',
      ...all(name => `${figure(of(name, one => one.median))} / ${figure(of(name, one => one.p99))}`),
      compared: `generator ${figure(busy * 100)} % busy${busy > 0.9 ? ': IT IS THE LIMIT' : ''}`,
      target: '',
    },
    {
      what: '  its processor time, µs a request',
      ...all(name => figure(of(name, processor))),
      compared: times(measured, processor),
      target: '',
    },
    {
      what: '  of its main thread, µs a request',
      ...all(name => figure(of(name, mainThread))),
      compared: times(measured, mainThread),
      ...(measured.includes('packages')
        ? { target: `at most ${most} x packages`, reached: ratio('packages', mainThread) <= most }
        : { target: '' }),
    },
  ]
}

/** Measures the first page of an event's list against one that is far down. */
export async function measurePages(
  load: LoadProcess,
  turnout: Contestant,
  settings: Settings,
  size: number,
): Promise<Row[]> {
  const { eventId } = turnout.filled
  const first = `/v1/registrations?event_id=${eventId}&limit=${PAGE}`
  const number = Math.floor((size * DEEP) / PAGE)
  const deep = `${first}&starting_after=${await cursorOf(turnout, number * PAGE)}`
  const ways: LoadResult[][] = [[], []]
  for (let round = 0; round < settings.rounds; round++) {
    for (const [way, path] of [first, deep].entries()) {
      const { port, filled } = turnout
      const { seconds } = settings
      const work: LoadWork = { kind: 'get', paths: [path] }
      ways[way]?.push(
        await load.run({ host: '127.0.0.1', port, key: filled.key, connections: 4, seconds, work }),
      )
    }
  }
  const [one, other] = ways.map(results => median(results.map(result => result.median))) as [number, number]
  const ratio = Math.max(one, other) / Math.min(one, other)
  return [
    {
      what: `GET /registrations?event_id, page 1 and page ${number.toLocaleString('en')}, ms`,
      turnout: `${figure(one)} and ${figure(other)}`,
      compared: `${figure(ratio)} x`,
      target: 'within 1.3 of each other',
      reached: ratio <= 1.3,
    },
  ]
}

/** Returns the cursor that the server itself would give after so many rows. */
async function cursorOf({ filled }: Contestant, rows: number): Promise<string> {
  const db = openDatabaseForCommand(filled.data, Date.now)
  try {
    const { cursor_secret: secret } = await db.read(INSTANCE, readInstance)
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ created_at: number; id: string }>(
        `SELECT created_at, id FROM registrations WHERE account_id = $1 AND event_id = $2
         ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $3`,
        [filled.accountId, filled.eventId, rows - 1],
      ),
    )
    if (row === undefined) throw new Error('The list has too few rows.')
    const scope = JSON.stringify(['registrations', filled.accountId, { event_id: filled.eventId }])
    return new Cursors(secret).encode(scope, row)
  } finally {
    await db.close()
  }
}
