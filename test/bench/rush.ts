import { setTimeout as pause } from 'node:timers/promises'
import type { Answered } from './connection.ts'
import { Connections } from './connections.ts'
import { hiddenOf } from './form.ts'
import { median } from './table.ts'

/** Describes a rush: everybody loads the page of an event, and sends both of its forms. */
export interface RushJob {
  host: string
  port: number
  /** The path of the event, with its slashes. */
  path: string
  typeId: string
  visitors: number
  /** The visitors come evenly within this time. */
  seconds: number
}

export interface RushResult {
  orders: number
  /** Visitors who read on the page that nothing is left. */
  refused: number
  /** Answers that were neither, by step and status. */
  unexpected: Record<string, number>
  /** Milliseconds, of all requests. */
  median: number
  p99: number
  longest: number
  /** The share of the time in which the visitors themselves were on a processor. */
  busy: number
}

/** The most connections. Browsers that have nothing to ask share theirs, because one address may not have one for each. */
const CONNECTIONS = 800
/** How long a form is filled in at least, in milliseconds: quicker ones are taken for programs. */
const FILLING = 1_100

process.on('message', (job: RushJob) => {
  run(job).then(
    result => process.send?.({ result }),
    error => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

class Visitors {
  readonly #job: RushJob
  readonly #connections: Connections
  readonly latencies: number[] = []
  readonly result = { orders: 0, refused: 0, unexpected: {} as Record<string, number> }

  constructor(job: RushJob) {
    this.#job = job
    this.#connections = new Connections(job, CONNECTIONS)
  }

  async visit(number: number): Promise<void> {
    const { path, typeId } = this.#job
    await this.#ask('GET', path)
    const form = await this.#ask('GET', `${path}register?q.${typeId}=1`)
    if (!this.#goesOn('form', form, 200)) return
    await pause(FILLING)
    const filled = hiddenOf(form.body)
    filled.set('buyer.name', `Visitor ${number}`)
    filled.set('buyer.email', `visitor-${number}@example.org`)
    const review = await this.#ask('POST', `${path}register`, filled)
    if (!this.#goesOn('review', review, 200)) return
    const order = await this.#ask('POST', `${path}register/order`, hiddenOf(review.body))
    if (this.#goesOn('order', order, 303)) this.result.orders++
  }

  close(): void {
    this.#connections.close()
  }

  #goesOn(step: string, { status, body }: Answered, expected: number): boolean {
    const { unexpected } = this.result
    if (status === expected) return true
    if (status === 409 && /Sold out|not enough places left: 0/i.test(body)) this.result.refused++
    else unexpected[`${step} ${status}`] = (unexpected[`${step} ${status}`] ?? 0) + 1
    return false
  }

  async #ask(method: 'GET' | 'POST', path: string, form?: URLSearchParams): Promise<Answered> {
    const began = performance.now()
    const answered = await this.#connections.ask(method, path, form)
    this.latencies.push(answered.at - began)
    return answered
  }
}

async function run(job: RushJob): Promise<RushResult> {
  const visitors = new Visitors(job)
  const cpu = process.cpuUsage()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: job.visitors }, async (_, number) => {
      await pause((number * job.seconds * 1000) / job.visitors)
      await visitors.visit(number)
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  visitors.close()
  const latencies = visitors.latencies.sort((one, other) => one - other)
  return {
    ...visitors.result,
    median: median(latencies),
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    longest: latencies.at(-1) ?? Number.NaN,
    busy: (user + system) / 1000 / (performance.now() - began),
  }
}
