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

/** The report of all rows, by a server that has done nothing else yet. */
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

/** Deliveries to one endpoint while imports, which make them, run. Comes last, as it leaves a backlog behind. */
export async function measureDeliveries(
  load: LoadProcess,
  turnout: Contestant,
  settings: Settings,
): Promise<Row[]> {
  const receiver = new ReceiverProcess()
  try {
    const url = `http://127.0.0.1:${await receiver.port()}/`
    const { accountId, data, key } = turnout.filled
    const command = [
      'dist/turnout.cjs',
      'webhook',
      'add',
      '--data',
      data,
      '--account',
      accountId,
      '--url',
      url,
    ]
    const flags = ['--types', 'registration.created', '--allow-insecure-webhooks', '--json']
    execFileSync(process.execPath, [...command, ...flags])
    const rates: number[] = []
    const imported: number[] = []
    for (let round = 0; round < settings.rounds; round++) {
      const { port } = turnout
      const { seconds } = settings
      const before = await receiver.received()
      const began = performance.now()
      const job = {
        host: '127.0.0.1',
        port,
        key,
        connections: DELIVERING_IMPORTERS,
        seconds,
        work: imports(turnout),
      }
      const { perSecond } = await load.run(job)
      rates.push(((await receiver.received()) - before) / ((performance.now() - began) / 1000))
      imported.push(perSecond)
    }
    const rate = median(rates)
    return [
      {
        what: `webhook deliveries a second, while ${DELIVERING_IMPORTERS} connections import`,
        turnout: figure(rate),
        compared: `beside ${figure(median(imported))} imports a second`,
        target: 'at least 1,500',
        reached: rate >= 1500,
      },
    ]
  } finally {
    receiver.close()
  }
}

/** What is left in memory after everything, and the most that there was. */
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
  })
  return [
    { what: 'resident memory after the run, MiB', ...fields('now'), target: 'under 250', reached: now < 250 },
    { what: 'peak memory (VmHWM), MiB', ...fields('peak'), target: '' },
  ]
}
