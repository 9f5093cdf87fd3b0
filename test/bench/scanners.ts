import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { type DoorClient, pairDoor } from '#test/support/door/door.ts'
import type { LoadProcess } from './child.ts'
import type { Contestant } from './contestant.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { checkIns, type Settings } from './measures.ts'
import { figure, median, type Row } from './table.ts'

/** A large venue has this many doors, each with somebody who scans as fast as people walk. */
const DOORS = 20
/** Milliseconds between two tickets of a door, and between two looks for changes. */
const PAUSE = 250
const CHANGES_EVERY = 1_500
/** A door has queued this many scans without a network, and sends them in requests of `A_REQUEST`. */
const QUEUED = 1_000
const A_REQUEST = 500

/**
 * Measures what scanners wait for: a scan while 20 doors are at work, the list of the event, and the queue of a door without a
 * network.
 */
export async function measureScanners(
  load: LoadProcess,
  other: LoadProcess,
  turnout: Contestant,
  settings: Settings,
): Promise<Row[]> {
  const { port, filled } = turnout
  const doors = await pairDoors(turnout)
  const tokens = doors.map(({ token }) => token as string)
  const base = { host: '127.0.0.1', port, key: filled.key, connections: DOORS }
  const scans: LoadResult[] = []
  const byApi: LoadResult[] = []
  for (let round = 0; round < settings.rounds; round++) {
    const { cursor } = await copyOf(turnout, tokens[0] as string)
    const looking: LoadJob = {
      ...base,
      seconds: settings.seconds,
      pause: CHANGES_EVERY,
      work: { kind: 'get', paths: [`/door/changes?cursor=${cursor}`], tokens },
    }
    const looks = other.run(looking)
    const codes = turnout.takeCodes(Math.ceil((DOORS * settings.seconds * 1000) / PAUSE))
    scans.push(
      await load.run({
        ...base,
        seconds: settings.seconds,
        pause: PAUSE,
        work: { kind: 'scan', codes, tokens },
      }),
    )
    await looks
    const work = checkIns(turnout, codes.length)
    byApi.push(await load.run({ ...base, seconds: settings.seconds, pause: PAUSE, work }))
  }
  const copied = await copyOf(turnout, tokens[0] as string)
  const [door] = doors as [DoorClient, ...DoorClient[]]
  const sent = await sendQueued(door, turnout.takeCodes(QUEUED))
  const p99 = median(scans.map(result => result.p99))
  const ratio = median(scans.map((result, round) => result.p99 / (byApi[round]?.p99 ?? Number.NaN)))
  return [
    {
      what: `p99 of a scan, ${DOORS} doors at work, ms`,
      turnout: figure(p99),
      compared: `${figure(ratio)} x a check-in by the API`,
      target: 'under 50',
      reached: p99 < 50,
    },
    {
      what: `the list of ${copied.tickets.toLocaleString('en')} tickets, s`,
      turnout: figure(copied.seconds),
      compared: `${figure(copied.bytes / 1e6)} MB gzipped`,
      target: '',
    },
    {
      what: `${QUEUED.toLocaleString('en')} scans that were queued, s`,
      turnout: figure(sent),
      target: 'under 5',
      reached: sent < 5,
    },
  ]
}

async function pairDoors({ port, filled }: Contestant): Promise<DoorClient[]> {
  const db = openDatabaseForCommand(filled.data, Date.now)
  const app = { siteUrl: `http://127.0.0.1:${port}` }
  const doors: DoorClient[] = []
  try {
    for (let number = 1; number <= DOORS; number++) {
      const input = { event_id: filled.eventId, name: `Door ${number}` }
      doors.push((await pairDoor({ app, db, clock: Date.now }, filled.accountId, input)).door)
    }
  } finally {
    await db.close()
  }
  return doors
}

/** Copies the list, as a phone does. */
async function copyOf({ port }: Contestant, token: string) {
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/door/copy`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
  })
  const text = await response.text()
  const seconds = (performance.now() - began) / 1000
  const { cursor, tickets } = JSON.parse(text)
  return { cursor, tickets: tickets.length as number, seconds, bytes: gzipSync(text).length }
}

/** @returns the seconds until all were answered */
async function sendQueued(door: DoorClient, codes: readonly string[]): Promise<number> {
  const items = codes.map(code => ({ ...door.scan({ code }, { shown: 'admitted' }), scan_id: randomUUID() }))
  const began = performance.now()
  for (let at = 0; at < items.length; at += A_REQUEST) {
    const { body } = await door.send(items.slice(at, at + A_REQUEST))
    const admitted = body.results.filter(({ outcome }: { outcome: string }) => outcome === 'admitted')
    if (admitted.length !== Math.min(A_REQUEST, items.length - at))
      throw new Error('A scan was not admitted.')
  }
  return (performance.now() - began) / 1000
}
