import { setTimeout as pause } from 'node:timers/promises'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { place } from '#product/selling/orders/place.ts'
import { MAX_TICKETS } from '#product/selling/orders/schemas.ts'
import type { LoadProcess } from './child.ts'
import type { Contestant } from './contestant.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { checkIns, type Settings } from './measures.ts'
import { fillIn, orderWork, type Sale } from './sale.ts'
import { figure, median, type Row } from './table.ts'

const VISITORS = 50
/** The pause of a visitor between two requests, in milliseconds. The server answers one link about that often. */
const VISITORS_PAUSE = 600
/** Names whose letters join, run the other way, or know no spaces. */
const NAMES = ['Grace Hopper', 'محمد عبد الرحمن بن خالد', 'שרה בת־אברהם לוי', 'สมชาย ใจดีมากที่สุด']
const BUYERS = 8
const BUYERS_PAUSE = 20
const SCANNERS = 4
const SCANNERS_PAUSE = 5
/** An order, or a check-in, beside those who look at theirs, against one without. */
const MAX_RATIO = 2

interface Visiting {
  load: LoadProcess
  other: LoadProcess
  turnout: Contestant
  db: Database
}

/** Orders and check-ins while nobody looks at an order, and while visitors look at the dearest there are, and have them as files. */
export async function measureVisits(
  { load, other, turnout, db }: Visiting,
  sale: Sale,
  { rounds, seconds }: Settings,
): Promise<Row[]> {
  const { port, filled } = turnout
  const base = { host: '127.0.0.1', port, key: filled.key, seconds }
  const paths = await placeOrders(db, filled.accountId, sale)
  const form = await fillIn(port, sale)
  const ordering = (): LoadJob => ({
    ...{ ...base, connections: BUYERS, pause: BUYERS_PAUSE },
    work: orderWork(sale, form),
  })
  const checking = (): LoadJob => ({
    ...{ ...base, connections: SCANNERS, pause: SCANNERS_PAUSE },
    work: checkIns(turnout, Math.ceil((SCANNERS * seconds * 1000) / SCANNERS_PAUSE)),
  })
  const looking: LoadJob = {
    ...{ ...base, connections: VISITORS, pause: VISITORS_PAUSE },
    // The load begins before the others and ends after them.
    seconds: 2 * seconds + 2,
    work: { kind: 'look', paths },
  }
  const results: Record<'order' | 'check-in', { alone: LoadResult; beside: LoadResult }[]> = {
    order: [],
    'check-in': [],
  }
  const looked: LoadResult[] = []
  // The first round is not counted: in it the engine still compiles what is hot.
  for (let round = -1; round < rounds; round++) {
    const [orderAlone, checkInAlone] = [await load.run(ordering()), await load.run(checking())]
    const visiting = other.run(looking)
    await pause(500)
    const [order, checkIn] = [await load.run(ordering()), await load.run(checking())]
    const visits = await visiting
    if (round < 0) continue
    looked.push(visits)
    results.order.push({ alone: orderAlone, beside: order })
    results['check-in'].push({ alone: checkInAlone, beside: checkIn })
  }
  const before = turnout.processorTime()
  const alone = await load.run({ ...looking, seconds })
  const processor = ((turnout.processorTime() - before) * 1000) / alone.count
  const row = (what: keyof typeof results): Row => {
    const ratio = median(results[what].map(({ alone, beside }) => beside.p99 / alone.p99))
    return {
      what: `p99 of ${what === 'order' ? 'an' : 'a'} ${what} beside ${VISITORS} visitors with orders of ${MAX_TICKETS} tickets, ms`,
      turnout: figure(median(results[what].map(({ beside }) => beside.p99))),
      compared: `${figure(ratio)} x that without`,
      target: `at most ${MAX_RATIO} x`,
      reached: ratio <= MAX_RATIO,
    }
  }
  return [
    row('order'),
    row('check-in'),
    {
      what: '  the visitors’ pages and files a second',
      turnout: figure(median(looked.map(({ perSecond }) => perSecond))),
      compared: `median / p99 ${figure(median(looked.map(each => each.median)))} / ${figure(median(looked.map(({ p99 }) => p99)))} ms`,
      target: '',
    },
    { what: '  their processor time, µs a page or file', turnout: figure(processor), target: '' },
  ]
}

/** The paths of the page and of the file of an order of each visitor, in turns. */
async function placeOrders(db: Database, accountId: string, { eventId, typeId }: Sale): Promise<string[]> {
  const { cursor_secret: secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )) as { cursor_secret: string }
  const paths: string[] = []
  for (let visitor = 0; visitor < VISITORS; visitor++) {
    const tickets = Array.from({ length: MAX_TICKETS }, (_, at) => ({
      name: `${NAMES[at % NAMES.length]} ${visitor} ${at}`,
      email: null,
    }))
    const order = await db.write(accountId, tx =>
      place(tx, eventId, {
        formId: `visitor-${visitor}`,
        buyer: { name: 'Visitor', email: `visitor-${visitor}@example.org` },
        ...{ language: 'en', answers: {}, lines: [{ typeId, tickets }] },
        agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      }),
    )
    const path = orderUrl({ baseUrl: '', secret }, order)
    paths.push(path, `${path}/tickets.pdf`)
  }
  return paths
}
