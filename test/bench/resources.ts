import { execFileSync } from 'node:child_process'
import { type LoadProcess, ReceiverProcess } from './child.ts'
import type { Contestant } from './contestant.ts'
import { readReport } from './door.ts'
import { imports, type Settings } from './measures.ts'
import { figure, median, type Row } from './table.ts'

/** How long a server that has just started is left alone before its memory is called idle, in milliseconds. */
const SETTLING = 2_000
const DELIVERING_IMPORTERS = 32

/** Starts the server again and again, and leaves it running, settled. */
export async function measureStart(turnout: Contestant, size: number, settings: Settings): Promise<Row[]> {
  const times: number[] = []
  for (let round = 0; round < settings.rounds; round++) {
    await turnout.stop()
    times.push(await turnout.start())
  }
  await new Promise(resolve => setTimeout(resolve, SETTLING))
  const { now } = turnout.memory()
  return [
    {
      what: `start to first answer, ${size.toLocaleString('en')} registrations, ms`,
      turnout: figure(median(times)),
      target: 'under 500',
      reached: median(times) < 500,
    },
    { what: 'resident memory idle, MiB', turnout: figure(now), target: 'under 120', reached: now < 120 },
  ]
}

/** Measures the report of all rows on a server that has done nothing else yet. */
export async function measureReport(turnout: Contestant): Promise<Row[]> {
  const idle = turnout.memory().now
  turnout.forgetPeak()
  const { rows, seconds } = await readReport(turnout)
  const over = turnout.memory().peak - idle
  const rate = rows / seconds
  return [
    {
      what: `CSV report of ${rows.toLocaleString('en')} attendees, rows a second`,
      turnout: figure(rate),
      target: 'at least 60,000',
      reached: rate >= 60_000,
    },
    { what: '  its memory over idle, MiB', turnout: figure(over), target: 'within 64', reached: over <= 64 },
  ]
}

/**
 * Measures deliveries to a local receiver while imports, which cause them, run: to one endpoint, which gets four at a time at most,
 * and to four. It comes last, because it leaves a backlog behind.
 */
export async function measureDeliveries(
  load: LoadProcess,
  turnout: Contestant,
  settings: Settings,
): Promise<Row[]> {
  const receiver = new ReceiverProcess()
  try {
    const url = `http://127.0.0.1:${await receiver.port()}`
    const rows: Row[] = []
    let endpoints = 0
    for (const count of [1, 4]) {
      while (endpoints < count) addEndpoint(turnout, `${url}/${++endpoints}`)
      const rates: number[] = []
      const imported: number[] = []
      for (let round = 0; round < settings.rounds; round++) {
        const before = await receiver.received()
        const began = performance.now()
        const { port, filled } = turnout
        const { seconds } = settings
        const work = imports(turnout)
        const connections = DELIVERING_IMPORTERS
        const job = { host: '127.0.0.1', port, key: filled.key, connections, seconds, work }
        const { perSecond } = await load.run(job)
        rates.push(((await receiver.received()) - before) / ((performance.now() - began) / 1000))
        imported.push(perSecond)
      }
      rows.push({
        what: `webhook deliveries a second to ${count === 1 ? '1 endpoint' : `${count} endpoints`}, while ${DELIVERING_IMPORTERS} connections import`,
        turnout: figure(median(rates)),
        compared: `beside ${figure(median(imported))} imports a second`,
        target: 'at least 1,500',
        reached: median(rates) >= 1500,
      })
    }
    return rows
  } finally {
    receiver.close()
  }
}

function addEndpoint({ filled }: Contestant, url: string): void {
  const command = ['webhook', 'add', '--data', filled.data, '--account', filled.accountId, '--url', url]
  const flags = ['--types', 'registration.created', '--allow-insecure-webhooks', '--json']
  execFileSync(process.execPath, ['dist/turnout.cjs', ...command, ...flags])
}

/** Measures the memory that is left after everything, and the highest that it was. */
export function measureMemoryAfter(contestants: readonly Contestant[]): Row[] {
  const text = (name: string, field: 'now' | 'peak') => {
    const found = contestants.find(contestant => contestant.name === name)
    return found === undefined ? '' : figure(found.memory()[field])
  }
  const now = contestants.find(({ name }) => name === 'turnout')?.memory().now ?? Number.NaN
  const fields = (field: 'now' | 'peak') => ({
    turnout: text('turnout', field),
    bare: text('bare', field),
    naive: text('naive', field),
    packages: text('packages', field),
  })
  return [
    { what: 'resident memory after the run, MiB', ...fields('now'), target: 'under 250', reached: now < 250 },
    { what: 'peak memory (VmHWM), MiB', ...fields('peak'), target: '' },
  ]
}
