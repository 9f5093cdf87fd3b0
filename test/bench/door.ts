import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import type { LoadProcess } from './child.ts'
import type { Contestant } from './contestant.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { checkIns, imports, type Settings } from './measures.ts'
import { figure, median, type Row } from './table.ts'

/** A few scanners at a door, each with a pause between two tickets. */
const SCANNERS = 4
const PAUSE = 5
const IMPORTERS = 32
const MAX_RATIO = 5

/** Measures the longest check-ins: on an idle server, while others import, while a report streams, and while a backup is made. */
export async function measureDoor(
  load: LoadProcess,
  other: LoadProcess,
  turnout: Contestant,
  settings: Settings,
): Promise<Row[]> {
  const { port, filled } = turnout
  const base = { host: '127.0.0.1', port, key: filled.key }
  const scan = (): LoadJob => ({
    ...base,
    connections: SCANNERS,
    seconds: settings.seconds,
    pause: PAUSE,
    work: checkIns(turnout, Math.ceil((SCANNERS * settings.seconds * 1000) / PAUSE)),
  })
  const idle: LoadResult[] = []
  const importing: LoadResult[] = []
  const reporting: LoadResult[] = []
  const backingUp: LoadResult[] = []
  for (let round = 0; round < settings.rounds; round++) {
    idle.push(await load.run(scan()))
    // The load of imports begins before the scanners and ends after them.
    const seconds = settings.seconds + 1
    const background = other.run({ ...base, connections: IMPORTERS, seconds, work: imports(turnout) })
    await new Promise(resolve => setTimeout(resolve, 500))
    importing.push(await load.run(scan()))
    await background
    for (const [results, start] of [
      [reporting, streamReports],
      [backingUp, makeBackups],
    ] as const) {
      const stop = start(turnout)
      await new Promise(resolve => setTimeout(resolve, 500))
      results.push(await load.run(scan()))
      await stop()
    }
  }
  const p99 = (results: LoadResult[]) => median(results.map(result => result.p99))
  const row = (what: string, results: LoadResult[]): Row => {
    const ratio = median(results.map((result, round) => result.p99 / (idle[round]?.p99 ?? Number.NaN)))
    return {
      what: `p99 of a check-in ${what}, ms`,
      turnout: figure(p99(results)),
      compared: `${figure(ratio)} x idle`,
      target: `under ${MAX_RATIO} x idle`,
      reached: ratio < MAX_RATIO,
    }
  }
  return [
    { what: 'p99 of a check-in on an idle server, ms', turnout: figure(p99(idle)), target: '' },
    row(`while ${IMPORTERS} connections import`, importing),
    row('while a CSV report of all rows streams', reporting),
    row('while a backup is made', backingUp),
  ]
}

/** How long a check-in on PostgreSQL may take beside imports, in milliseconds, and of that on SQLite. */
const MOST_ON_POSTGRES = 50
const MOST_OF_SQLITE = 4

/** Measures the longest check-ins beside imports on PostgreSQL, in turns with those on SQLite. */
export async function measureDoorOnPostgres(
  load: LoadProcess,
  other: LoadProcess,
  { turnout, postgres }: { turnout: Contestant; postgres: Contestant },
  settings: Settings,
): Promise<Row[]> {
  const found: { sqlite: number; postgres: number }[] = []
  const measure = async (contestant: Contestant) => {
    const base = { host: '127.0.0.1', port: contestant.port, key: contestant.filled.key }
    const { seconds } = settings
    const background = other.run({
      ...{ ...base, connections: IMPORTERS, seconds: seconds + 1, work: imports(contestant) },
    })
    await new Promise(resolve => setTimeout(resolve, 500))
    const count = Math.ceil((SCANNERS * seconds * 1000) / PAUSE)
    const scanned = {
      ...base,
      connections: SCANNERS,
      seconds,
      pause: PAUSE,
      work: checkIns(contestant, count),
    }
    const { p99 } = await load.run(scanned)
    await background
    return p99
  }
  for (let round = 0; round < settings.rounds; round++)
    found.push({ sqlite: await measure(turnout), postgres: await measure(postgres) })
  const p99 = median(found.map(({ postgres }) => postgres))
  const ratio = median(found.map(({ sqlite, postgres }) => postgres / sqlite))
  return [
    {
      what: `p99 of a check-in while ${IMPORTERS} connections import, on PostgreSQL, ms`,
      turnout: figure(p99),
      compared: `${figure(ratio)} x SQLite's`,
      target: `under ${MOST_ON_POSTGRES} ms and ${MOST_OF_SQLITE} x SQLite's`,
      reached: p99 < MOST_ON_POSTGRES && ratio < MOST_OF_SQLITE,
    },
  ]
}

/** Streams the report of all rows again and again until it is stopped. */
function streamReports(turnout: Contestant): () => Promise<void> {
  let stopped = false
  const streaming = (async () => {
    while (!stopped) await readReport(turnout, () => stopped)
  })()
  return () => {
    stopped = true
    return streaming
  }
}

/** Has the command line make one backup after the other, until it is stopped. */
function makeBackups({ filled }: Contestant): () => Promise<void> {
  const file = join(filled.data, 'backup.db')
  let stopped = false
  const making = (async () => {
    while (!stopped) {
      const args = ['dist/turnout.cjs', 'backup', file, '--data', filled.data]
      const [code] = await once(
        spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }),
        'exit',
      )
      if (code !== 0) throw new Error('A backup failed.')
      rmSync(file)
    }
  })()
  return () => {
    stopped = true
    return making
  }
}

export interface ReadReport {
  rows: number
  seconds: number
}

/** Reads the report of all rows as CSV, and counts its lines; cuts it off when `isStopped`. */
export function readReport(turnout: Contestant, isStopped: () => boolean = () => false): Promise<ReadReport> {
  const { port, filled } = turnout
  const began = performance.now()
  const path = `/v1/reports/registrations?event_id=${filled.eventId}&format=csv`
  const headers = { authorization: `Bearer ${filled.key}` }
  return new Promise((resolve, reject) => {
    let lines = 0
    const end = () => resolve({ rows: lines - 1, seconds: (performance.now() - began) / 1000 })
    // A connection kept for the next one may be closed by the server just then.
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, response => {
      if (response.statusCode !== 200) reject(new Error(`The report was answered ${response.statusCode}.`))
      response.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
        if (isStopped()) request.destroy()
      })
      response.on('end', end)
      response.on('error', error => (isStopped() ? end() : reject(error)))
    })
    request.on('error', error => (isStopped() ? end() : reject(error)))
  })
}
