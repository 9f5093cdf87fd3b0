import { setTimeout as pause } from 'node:timers/promises'
import * as accounts from '../../src/accounts/rules.ts'
import { announcementMail } from '../../src/announcements/mail.ts'
import * as announcements from '../../src/announcements/rules.ts'
import { setHold } from '../../src/db/instance.ts'
import { type Database, INSTANCE, type WriteTx } from '../../src/db/port.ts'
import { openDatabaseForCommand } from '../../src/db/sqlite/data-folder.ts'
import { queue } from '../../src/emails/outbox.ts'
import * as events from '../../src/events/rules.ts'
import * as orders from '../../src/orders/rules.ts'
import * as registrationTypes from '../../src/registration-types/rules.ts'
import { DAY } from '../../src/time.ts'
import { seller } from '../support/organizer.ts'
import { type LoadProcess, ReceiverProcess, RushProcess } from './child.ts'
import { Connection, toText } from './connection.ts'
import { Contestant } from './contestant.ts'
import type { Filled } from './fill.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { checkIns, type Settings } from './measures.ts'
import { hiddenOf, type RushResult } from './rush.ts'
import { figure, median, type Row } from './table.ts'

const VISITORS = 5_000
const PLACES = 500
/** In which the visitors come. */
const SECONDS = 10
/** Each takes some fifteen seconds. */
const MOST_RUSHES = 3
const MAX_WAIT = 5_000
const SCANNERS = 4
/** Of a scanner, in milliseconds. */
const PAUSE = 5
const CONNECTIONS = 64
/** Who orders while mails go out: so few that they wait for each other no more than the server lets them. */
const BUYERS = 8
const BUYERS_PAUSE = 20
const MAILS = 10_000
const MAX_PAGE = 30 * 1024
/** A check-in beside a rush, and an order beside mails, against one without: as at the door. */
const MAX_RATIO = 5
const LEAST = 0.9

/** An event that sells one type, for nothing. */
interface Sale {
  eventId: string
  typeId: string
  path: string
}

/** What buyers meet when all come at once, and what the door notices of it; and what either notices of mails that go out. */
export async function measureOrders(
  load: LoadProcess,
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
    await db.write(filled.accountId, tx => accounts.update(tx, filled.accountId, seller))
    await hold(db, true)
    const open = await openSale(db, filled.accountId, 'open', 1_000_000)
    const rushes: Sale[] = []
    for (let n = 0; n < rounds; n++) rushes.push(await openSale(db, filled.accountId, `rush-${n}`, PLACES))
    await turnout.start()
    return [
      ...(await measurePlain(load, turnout, open, settings)),
      ...(await measureRush({ load, rush, turnout, db }, rushes)),
      ...(await measureMails({ load, mails, turnout, db }, open, settings)),
    ]
  } finally {
    rush.close()
    mails.close()
    await turnout.stop()
    await db.close()
  }
}

async function openSale(
  db: Database,
  accountId: string,
  slug: string,
  capacity: number,
): Promise<Sale> {
  return db.write(accountId, async tx => {
    const now = Date.now()
    const { id: eventId } = await events.create(tx, accountId, {
      ...{
        title: `Sale ${slug}`,
        slug,
        starts_at: now + DAY,
        ends_at: now + 2 * DAY,
        timezone: 'Europe/Madrid',
      },
      ...{
        venue: 'Main Hall',
        city: 'Madrid',
        currency: 'EUR',
        visibility: 'public',
        requires_approval: false,
      },
      description: 'Two days of **talks** and workshops.\n\n- Coffee\n- Lunch\n',
      terms: null,
    })
    const { id: typeId } = await registrationTypes.create(tx, accountId, eventId, {
      ...{ name: 'Guest', description: 'With lunch', price: 0, capacity, active: true },
      ...{ sales_start: null, sales_end: null, valid_from: null, valid_until: null },
    })
    await events.setStatus(tx, accountId, eventId, 'published')
    return { eventId, typeId, path: `/${seller.slug}/${slug}/` }
  })
}

/** The page of an event, and orders, as many as there can be. */
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
  // The first round is not counted: in it the engine still compiles what is hot.
  for (let round = -1; round < rounds; round++) {
    const visits = await load.run({ ...base, work: { kind: 'visit', path: sale.path } })
    const orders = await load.run({ ...base, work: orderWork(sale, form) })
    if (round < 0) continue
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
  // Within the rush, which begins before and ends after.
  const seconds = SECONDS - 2
  const scan = (): LoadJob => ({
    ...{ host: '127.0.0.1', port, key: filled.key, connections: SCANNERS, seconds, pause: PAUSE },
    work: checkIns(turnout, Math.ceil((SCANNERS * seconds * 1000) / PAUSE)),
  })
  const results: RushResult[] = []
  const made: number[] = []
  const alone: LoadResult[] = []
  const beside: LoadResult[] = []
  for (const { path, typeId, eventId } of sales) {
    alone.push(await load.run(scan()))
    const job = { host: '127.0.0.1', port, path, typeId, visitors: VISITORS, seconds: SECONDS }
    const rushing = rush.run(job)
    await pause(1_000)
    beside.push(await load.run(scan()))
    results.push(await rushing)
    made.push(await countOrders(db, filled.accountId, eventId))
  }
  const of = (field: 'median' | 'p99' | 'longest') => median(results.map(result => result[field]))
  const isExact = results.every(
    ({ orders, told }, at) => orders === PLACES && told === VISITORS - PLACES && made[at] === PLACES,
  )
  const unexpected = results.flatMap(result => Object.entries(result.unexpected).map(one => one.join(': ')))
  const times = (field: 'p99' | 'perSecond') =>
    median(beside.map((one, at) => one[field] / (alone[at]?.[field] ?? Number.NaN)))
  const busy = Math.max(...results.map(result => result.busy))
  return [
    {
      what: `${VISITORS.toLocaleString('en')} visitors in ${SECONDS} s: orders made, and who was told`,
      turnout: results.map(({ orders, told }) => `${orders} and ${told.toLocaleString('en')}`).join(', '),
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

interface Mailing {
  load: LoadProcess
  mails: ReceiverProcess
  turnout: Contestant
  db: Database
}

/** Orders while no mail goes out, and while thousands do, as quickly as the server for mail takes them. */
async function measureMails(
  { load, mails, turnout, db }: Mailing,
  sale: Sale,
  { rounds, seconds }: Settings,
): Promise<Row[]> {
  const { port, filled } = turnout
  const form = await fillIn(port, sale)
  const job: LoadJob = {
    ...{ host: '127.0.0.1', port, key: filled.key, connections: BUYERS, seconds, pause: BUYERS_PAUSE },
    work: orderWork(sale, form),
  }
  const without: LoadResult[] = []
  const selling: LoadResult[] = []
  const sent: number[] = []
  for (let round = 0; round < rounds; round++) {
    without.push(await load.run(job))
    await queueMails(db, filled.accountId, sale.eventId)
    const before = await mails.received()
    await hold(db, false)
    await pause(500)
    selling.push(await load.run(job))
    sent.push((await mails.received()) - before)
    await hold(db, true)
    await pause(500)
  }
  const times = (field: 'median' | 'p99') =>
    median(selling.map((one, at) => one[field] / (without[at]?.[field] ?? Number.NaN)))
  const of = (field: 'median' | 'p99') => figure(median(selling.map(one => one[field])))
  return [
    {
      what: `an order while ${MAILS.toLocaleString('en')} mails wait and go out, median / p99, ms`,
      turnout: `${of('median')} / ${of('p99')}`,
      compared: `${figure(times('median'))} / ${figure(times('p99'))} x that without, ${figure(median(sent))} sent`,
      target: `p99 under ${MAX_RATIO} x`,
      reached: times('p99') < MAX_RATIO,
    },
  ]
}

/** An announcement to as many, as its job would have written it. */
async function queueMails(db: Database, accountId: string, eventId: string): Promise<void> {
  await db.write(accountId, async tx => {
    // Its own job finds nobody.
    const audience = { group: 'waitlist', types: [] } as const
    const text = { subject: 'News', body: 'Hello {name}, see you at {event}.' }
    const { id } = await announcements.create(tx, accountId, eventId, { ...text, audience }, 'bench')
    await announcements.send(tx, accountId, eventId, id, { total: MAILS, language: 'en', by: 'bench' })
    await queueAll(tx, accountId, eventId, id)
  })
}

async function queueAll(tx: WriteTx, accountId: string, eventId: string, id: string): Promise<void> {
  for (let n = 0; n < MAILS; n++) {
    const to = { cause: id, recipient: `holder-${n}@example.org`, eventId, subjectId: id }
    await queue(tx, accountId, announcementMail, { ...to, language: 'en', details: { name: `Holder ${n}` } })
  }
}

function hold(db: Database, isHeld: boolean): Promise<unknown> {
  return db.write(INSTANCE, tx => setHold(tx, isHeld ? Date.now() : null))
}

async function countOrders(db: Database, accountId: string, eventId: string): Promise<number> {
  const made = await db.read(tx => orders.list(tx, accountId, { event_id: eventId }, { limit: VISITORS }))
  return made.length
}

/** What the review of an order for one ticket sends: good for a day. */
async function fillIn(port: number, { path, typeId }: Sale): Promise<string> {
  const form = hiddenOf((await ask(port, `${path}register?q.${typeId}=1`)).body)
  form.set('buyer.name', 'Visitor')
  form.set('buyer.email', 'visitor@example.org')
  await pause(1_100)
  return hiddenOf((await ask(port, `${path}register`, form)).body).toString()
}

function orderWork({ path }: Sale, form: string) {
  return { kind: 'order', path: `${path}register/order`, form } as const
}

async function ask(port: number, path: string, form?: URLSearchParams) {
  const connection = await Connection.open('127.0.0.1', port)
  try {
    const method = form === undefined ? 'GET' : 'POST'
    return await connection.send(toText({ method, path, form: form?.toString() }))
  } finally {
    connection.close()
  }
}
