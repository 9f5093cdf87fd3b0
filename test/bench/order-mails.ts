import { setTimeout as pause } from 'node:timers/promises'
import { setHold } from '#machinery/db/instance.ts'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { announcementMail } from '#product/mailing/announcements/mail.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { LoadProcess, ReceiverProcess } from './child.ts'
import type { Contestant } from './contestant.ts'
import type { LoadJob, LoadResult } from './load.ts'
import type { Settings } from './measures.ts'
import { fillIn, orderWork, type Sale } from './sale.ts'
import { figure, median, type Row } from './table.ts'

/** This many people order while mails go out: so few that they wait for each other no more than the server makes them. */
const BUYERS = 8
const BUYERS_PAUSE = 20
const MAILS = 10_000
/** An order beside mails, against one without: as a check-in at the door. */
const MAX_RATIO = 5

interface Mailing {
  load: LoadProcess
  mails: ReceiverProcess
  turnout: Contestant
  db: Database
}

/** Measures orders while no mail goes out, and while thousands do, as quickly as the server for mail takes them. */
export async function measureMails(
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

/** Queues an announcement to as many people, as its job would have written it. */
async function queueMails(db: Database, accountId: string, eventId: string): Promise<void> {
  await db.write(accountId, async tx => {
    // Its own job finds nobody.
    const audience = { group: 'waitlist', types: [] } as const
    const text = { subject: 'News', body: 'Hello {name}, see you at {event}.' }
    const { id } = await announcements.create(tx, eventId, { ...text, audience }, 'bench')
    await announcements.send(tx, eventId, id, { total: MAILS, language: 'en', by: 'bench' })
    await queueAll(tx, eventId, id)
  })
}

async function queueAll(tx: WriteTx, eventId: string, id: string): Promise<void> {
  for (let n = 0; n < MAILS; n++) {
    const to = { cause: id, recipient: `holder-${n}@example.org`, eventId, subjectId: id }
    await queue(tx, announcementMail, { ...to, language: 'en', details: { name: `Holder ${n}` } })
  }
}

export function hold(db: Database, isOnHold: boolean): Promise<unknown> {
  return db.write(INSTANCE, tx => setHold(tx, isOnHold ? Date.now() : null))
}
