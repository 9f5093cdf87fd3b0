import { get } from 'node:http'
import type { LoadProcess } from './child.ts'
import type { Contestant } from './contestant.ts'
import { PRINT } from './fill.ts'
import type { LoadJob } from './load.ts'
import { imports, type Settings } from './measures.ts'
import { figure, median, type Row } from './table.ts'

const CONNECTIONS = 16
/** The most seconds that the badges may take, and the least share of imports that goes on beside them. */
const MOST_SECONDS = 10
const LEAST = 0.6

/** Measures how long a large print of badges takes beside imports, and what these lose. */
export async function measureBadges(
  load: LoadProcess,
  turnout: Contestant,
  settings: Settings,
): Promise<Row[]> {
  const { port, filled } = turnout
  const base = { host: '127.0.0.1', port, key: filled.key }
  const job = (): LoadJob => ({
    ...base,
    connections: CONNECTIONS,
    seconds: settings.seconds,
    work: imports(turnout),
  })
  const alone: number[] = []
  const beside: number[] = []
  const ratios: number[] = []
  let bytes = 0
  for (let round = 0; round < settings.rounds; round++) {
    alone.push((await printOnce(turnout)).seconds)
    const idle = await load.run(job())
    let isOver = false
    const printing = (async () => {
      while (!isOver) {
        const printed = await printOnce(turnout)
        beside.push(printed.seconds)
        bytes = printed.bytes
      }
    })()
    const printed = await load.run(job())
    isOver = true
    await printing
    ratios.push(printed.perSecond / idle.perSecond)
  }
  const [seconds, ratio] = [median(beside), median(ratios)]
  return [
    {
      what: `the PDF of ${PRINT.badges} badges beside imports, s`,
      turnout: figure(seconds),
      compared: `${figure(median(alone))} alone, ${figure(bytes / 1_000_000)} MB`,
      target: `under ${MOST_SECONDS}`,
      reached: seconds < MOST_SECONDS,
    },
    {
      what: '  imports meanwhile, of those without',
      turnout: figure(ratio),
      target: `at least ${LEAST}`,
      reached: ratio >= LEAST,
    },
  ]
}

function printOnce({ port, filled }: Contestant): Promise<{ seconds: number; bytes: number }> {
  const began = performance.now()
  const path = `/manage/e/${filled.eventId}/badges/prints/${PRINT.at}/pdf`
  const headers = { cookie: filled.cookies[0] as string }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, response => {
      let bytes = 0
      if (response.statusCode !== 200) reject(new Error(`The badges were answered ${response.statusCode}.`))
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve({ seconds: (performance.now() - began) / 1000, bytes }))
      response.on('error', reject)
    }).on('error', reject)
  })
}
