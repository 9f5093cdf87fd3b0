import { setTimeout as pause } from 'node:timers/promises'
import type { LoadProcess } from './child.ts'
import type { Contestant } from './contestant.ts'
import { type Filled, PEOPLE } from './fill.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { checkIns, imports, type Settings } from './measures.ts'
import { figure, median, type Row } from './table.ts'

/** People open these pages in turns. A line more is a page more. */
const PAGES: readonly ((filled: Filled) => string)[] = [
  ({ accountId }) => `/manage/a/${accountId}`,
  ({ eventId }) => `/manage/e/${eventId}`,
]

/** How long each looks at a page, in milliseconds. */
const VIEW_EVERY = 1_000
/** How long people click before the load begins, and after it has ended, in milliseconds. */
const AROUND = 250
const CONNECTIONS = 64
/** The check-ins of one load, at most: each needs a ticket of its own. */
const CHECK_INS = 2_000
/** The share of the tickets that are left. Other measures need tickets to check in too. */
const SHARE = 0.4
const LEAST = 0.95

/**
 * Measures what imports and check-ins lose while people open pages of the dashboard: each load once with them and once without, in
 * turns.
 */
export async function measureClicks(
  load: LoadProcess,
  people: LoadProcess,
  turnout: Contestant,
  settings: Settings,
): Promise<Row[]> {
  const { port, filled } = turnout
  const base = { host: '127.0.0.1', port, key: filled.key }
  const seconds = settings.seconds
  const opened: LoadResult[] = []
  const clicking = async (job: LoadJob) => {
    const paths = PAGES.map(pathOf => pathOf(filled))
    const clicks = people.run({
      ...base,
      connections: PEOPLE,
      seconds: seconds + (2 * AROUND) / 1000,
      pause: VIEW_EVERY,
      work: { kind: 'page', paths, cookies: filled.cookies },
    })
    await pause(AROUND)
    const result = await load.run(job)
    opened.push(await clicks)
    return result
  }
  const measure = async (what: string, jobOf: () => LoadJob): Promise<Row> => {
    const ratios: number[] = []
    const rates: number[] = []
    // The first round is not counted: in it the engine still compiles what is hot.
    for (let round = -1; round < settings.rounds; round++) {
      // The order changes each time, so that a drift of the machine meets both.
      const first = round % 2 === 0 ? await load.run(jobOf()) : undefined
      const clicked = await clicking(jobOf())
      const alone = first ?? (await load.run(jobOf()))
      if (round < 0) continue
      ratios.push(clicked.perSecond / alone.perSecond)
      rates.push(clicked.perSecond)
    }
    const ratio = median(ratios)
    return {
      what: `${what} a second while ${PEOPLE} people click`,
      turnout: figure(median(rates)),
      compared: `${figure(ratio)} of that without them`,
      target: `at least ${LEAST}`,
      reached: ratio >= LEAST,
    }
  }
  const job = { ...base, connections: CONNECTIONS, seconds }
  const loads = 2 * (settings.rounds + 1)
  const perLoad = Math.min(CHECK_INS, Math.floor((turnout.codesLeft * SHARE) / loads))
  const rows = [
    await measure('imports', () => ({ ...job, work: imports(turnout) })),
    await measure('check-ins', () => ({ ...job, work: checkIns(turnout, perLoad) })),
  ]
  const times = (field: 'median' | 'p99') => figure(median(opened.map(result => result[field])))
  const pages = { what: '  their pages, median / p99, ms', turnout: `${times('median')} / ${times('p99')}` }
  return [...rows, { ...pages, target: '' }]
}
