import { randomUUID } from 'node:crypto'
import { Connection, type Request, toText } from './connection.ts'

/** Describes what the load generator does. It ends at the first of its limits. */
export interface LoadJob {
  host: string
  port: number
  key: string
  connections: number
  seconds: number
  /** The most requests; without it only the time limits. */
  count?: number
  /** Milliseconds between an answer and the next request on its connection. */
  pause?: number
  work: LoadWork
}

export type LoadWork =
  | { kind: 'import'; eventId: string; typeId: string; name: string }
  | { kind: 'check-in'; codes: readonly string[]; name: string }
  /** The load uses `tokens` in turns instead of the key. */
  | { kind: 'get'; paths: readonly string[]; tokens?: readonly string[] }
  | { kind: 'scan'; codes: readonly string[]; tokens: readonly string[] }
  | { kind: 'page'; paths: readonly string[]; cookies: readonly string[] }
  | { kind: 'visit'; path: string }
  /** The links are used in turns. */
  | { kind: 'look'; paths: readonly string[] }
  | { kind: 'order'; path: string; form: string }

export interface LoadResult {
  /** The requests that got the expected status. */
  count: number
  perSecond: number
  /** Milliseconds. */
  median: number
  p99: number
  longest: number
  /** The requests with other statuses. */
  unexpected: Record<number, number>
  /** The share of the time in which the generator itself was on a processor: near 1 it is what was measured. */
  busy: number
}

/** The status that a load of each kind is answered with. */
const EXPECTED: Record<LoadWork['kind'], number> = {
  import: 201,
  'check-in': 201,
  get: 200,
  scan: 200,
  page: 200,
  visit: 200,
  look: 200,
  order: 303,
}

/** A process of its own: it gets jobs from its parent, one at a time, and answers each with its result. */
process.on('message', (job: LoadJob) => {
  run(job).then(
    result => process.send?.({ result }),
    error => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function run(job: LoadJob): Promise<LoadResult> {
  const requests = requestsOf(job)
  const expected = EXPECTED[job.work.kind]
  const latencies: number[] = []
  const unexpected: Record<number, number> = {}
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => Connection.open(job.host, job.port)),
  )
  const cpu = process.cpuUsage()
  const began = performance.now()
  const deadline = began + job.seconds * 1000
  let ended = began
  await Promise.all(
    connections.map(async connection => {
      while (performance.now() < deadline) {
        const request = requests.next()
        if (request.done) return
        const sent = performance.now()
        const { status, at } = await connection.send(toText(request.value))
        ended = Math.max(ended, at)
        if (status === expected) latencies.push(at - sent)
        else unexpected[status] = (unexpected[status] ?? 0) + 1
        if (job.pause !== undefined) await new Promise(resolve => setTimeout(resolve, job.pause))
      }
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  const elapsed = Math.max(1, ended - began)
  for (const connection of connections) connection.close()
  latencies.sort((one, other) => one - other)
  return {
    count: latencies.length,
    perSecond: latencies.length / (elapsed / 1000),
    median: latencies[Math.floor(latencies.length / 2)] ?? Number.NaN,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    longest: latencies.at(-1) ?? Number.NaN,
    unexpected,
    busy: (user + system) / 1000 / elapsed,
  }
}

function* requestsOf({ work, key, count = Number.POSITIVE_INFINITY }: LoadJob): Generator<Request> {
  for (let number = 0; number < count; number++) {
    if (work.kind === 'get') {
      const token = work.tokens?.[number % work.tokens.length] ?? key
      yield { method: 'GET', path: work.paths[number % work.paths.length] as string, key: token }
    } else if (work.kind === 'scan') {
      const code = work.codes[number]
      if (code === undefined) return
      const common = { kind: 'scan', at: new Date().toISOString(), offset: 0, shown: null }
      const body = JSON.stringify({ waiting: 0, scans: [{ scan_id: randomUUID(), code, ...common }] })
      const token = work.tokens[number % work.tokens.length] as string
      yield { method: 'POST', path: '/door/scans', key: token, body }
    } else if (work.kind === 'page') {
      const cookie = work.cookies[number % work.cookies.length] as string
      const turn = Math.floor(number / work.cookies.length)
      yield { method: 'GET', path: work.paths[turn % work.paths.length] as string, key, cookie }
    } else if (work.kind === 'visit') {
      yield { method: 'GET', path: work.path }
    } else if (work.kind === 'look') {
      yield { method: 'GET', path: work.paths[number % work.paths.length] as string }
    } else if (work.kind === 'order') {
      const form = new URLSearchParams(work.form)
      form.set('form.id', randomUUID())
      form.set('buyer.email', `${form.get('form.id')}@example.org`)
      yield { method: 'POST', path: work.path, form: form.toString() }
    } else if (work.kind === 'import') {
      const buyer = { name: `Guest ${number}`, email: `guest-${number}@example.org` }
      const body = {
        event_id: work.eventId,
        registration_type_id: work.typeId,
        buyer,
        answers: { diet: 'vegan' },
      }
      const idempotencyKey = `${work.name}-${number}`
      yield { method: 'POST', path: '/v1/registrations', key, idempotencyKey, body: JSON.stringify(body) }
    } else {
      const code = work.codes[number]
      if (code === undefined) return
      const idempotencyKey = `${work.name}-${number}`
      const body = JSON.stringify({ qr_code: code })
      yield { method: 'POST', path: '/v1/check-ins', key, idempotencyKey, body }
    }
  }
}
