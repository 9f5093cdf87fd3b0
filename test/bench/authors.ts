import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answered } from './connection.ts'
import { Connections } from './connections.ts'
import { hiddenOf } from './form.ts'
import { median } from './table.ts'

/** Describes the end of a call: authors who save and send, and others who attach files beside them. */
export interface AuthorsJob {
  host: string
  port: number
  /** The paths of the abstracts, of those who write and of those who attach a file. */
  writing: readonly string[]
  attaching: readonly string[]
  /** Each of those who write saves so often, in seconds, and sends once. */
  every: number
  seconds: number
  /** Bytes of each file, all of which come evenly in most of the time. */
  size: number
}

/** Milliseconds of all requests of one kind. */
export interface Latencies {
  count: number
  median: number
  p99: number
  longest: number
}

export interface AuthorsResult {
  saves: Latencies
  sends: Latencies
  /** From the last byte of a file to its answer. */
  files: Latencies
  /** Answers that were not expected, by step and status. */
  unexpected: Record<string, number>
  /** The share of the time in which the authors themselves were on a processor. */
  busy: number
}

/** Browsers that have nothing to ask share their connections, because one address may not have one for each. */
const CONNECTIONS = 200
const PART = 64 * 1024
/** The share of the time in which files come. */
const COMING = 0.8

process.on('message', (job: AuthorsJob) => {
  run(job).then(
    result => process.send?.({ result }),
    error => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

class Authors {
  readonly #job: AuthorsJob
  readonly #connections: Connections
  readonly #until: number
  /** Made before the time begins, because it takes a processor that the server needs then. */
  readonly #file: Buffer
  readonly times: Record<'saves' | 'sends' | 'files', number[]> = { saves: [], sends: [], files: [] }
  readonly unexpected: Record<string, number> = {}

  constructor(job: AuthorsJob) {
    this.#job = job
    this.#connections = new Connections(job, CONNECTIONS)
    this.#file = randomBytes(job.size)
    this.#file.write('%PDF-1.7\n')
    this.#file.write('\n%%EOF\n', job.size - 7)
    this.#until = performance.now() + job.seconds * 1000
  }

  /** Opens a form, and saves it every few seconds until it is sent, or the time is over. */
  async write(path: string, sendsAt: number): Promise<void> {
    const shown = await this.#connections.ask('GET', `${path}/edit`)
    if (!this.#isExpected('form', shown, 200)) return
    const form = hiddenOf(shown.body)
    for (const [name, value] of Object.entries(TYPED)) form.set(name, value)
    for (let turn = 0; ; turn++) {
      const next = performance.now() + this.#job.every * 1000
      if (performance.now() >= sendsAt) return this.#send(path, form)
      form.set('text', `They fill, and then they are empty ${turn} times. ${'Rooms again. '.repeat(90)}`)
      const began = performance.now()
      const saved = await this.#connections.ask('POST', `${path}/edit/save`, form)
      this.times.saves.push(saved.at - began)
      if (this.#isExpected('save', saved, 200))
        form.set('draft.revision', String((JSON.parse(saved.body) as { revision: number }).revision))
      await pause(Math.max(0, Math.min(next, sendsAt, this.#until) - performance.now()))
      if (performance.now() >= this.#until) return
    }
  }

  async #send(path: string, form: URLSearchParams): Promise<void> {
    const began = performance.now()
    const checked = await this.#connections.ask('POST', `${path}/edit/send`, form)
    if (!this.#isExpected('check', checked, 303)) return
    const preview = await this.#connections.ask('GET', `${path}/send`)
    const sent = await this.#connections.ask('POST', `${path}/send`, hiddenOf(preview.body))
    this.times.sends.push(sent.at - began)
    this.#isExpected('send', sent, 303)
  }

  async attach(path: string): Promise<void> {
    const { host, port, seconds } = this.#job
    const to = { host, port, path: `${path}/file` }
    const { status, after } = await sendFile(to, this.#file, seconds * COMING)
    this.times.files.push(after)
    this.#isExpected('file', { status }, 303)
  }

  close(): void {
    this.#connections.close()
  }

  #isExpected(step: string, { status }: Pick<Answered, 'status'>, expected: number): boolean {
    if (status === expected) return true
    this.unexpected[`${step} ${status}`] = (this.unexpected[`${step} ${status}`] ?? 0) + 1
    return false
  }
}

const TYPED = {
  ...{ 'contact.name': 'Lin Mei', title: 'On rooms', language: 'en', keywords: 'rooms' },
  ...{
    'author.0.given': 'Lin',
    'author.0.family': 'Mei',
    'affiliation.0': 'Institute of Rooms',
    presenter: '0',
  },
}

const BOUNDARY = 'bench-boundary'

/** Sends a file evenly, as a browser on a slow line does. @returns how long after its last byte the answer came */
function sendFile(
  { host, port, path }: { host: string; port: number; path: string },
  file: Buffer,
  seconds: number,
): Promise<{ status: number; after: number }> {
  const opening = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
  const closing = `\r\n--${BOUNDARY}--\r\n`
  const length = opening.length + file.length + closing.length
  return new Promise((resolve, reject) => {
    const socket = connect(port, host)
    let last = Number.NaN
    socket.on('error', reject)
    socket.once('data', answer => {
      resolve({ status: Number(answer.toString('latin1', 9, 12)), after: performance.now() - last })
      socket.destroy()
    })
    const send = async () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: bench\r\nSec-Fetch-Site: same-origin\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${length}\r\n\r\n${opening}`,
      )
      const began = performance.now()
      for (let at = 0; at < file.length; at += PART) {
        await pause(Math.max(0, began + (seconds * 1000 * at) / file.length - performance.now()))
        if (!socket.write(file.subarray(at, at + PART)))
          await new Promise(drained => socket.once('drain', drained))
      }
      socket.write(closing, () => {
        last = performance.now()
      })
    }
    send().catch(reject)
  })
}

function latenciesOf(times: number[]): Latencies {
  const sorted = times.sort((one, other) => one - other)
  return {
    count: sorted.length,
    median: median(sorted),
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    longest: sorted.at(-1) ?? Number.NaN,
  }
}

async function run(job: AuthorsJob): Promise<AuthorsResult> {
  const authors = new Authors(job)
  const cpu = process.cpuUsage()
  const began = performance.now()
  const { writing, every, seconds } = job
  await Promise.all([
    ...writing.map(async (path, number) => {
      await pause((number * every * 1000) / writing.length)
      // They send evenly in the second half of the time.
      await authors.write(path, began + (0.5 + (0.45 * number) / writing.length) * seconds * 1000)
    }),
    ...job.attaching.map(path => authors.attach(path)),
  ])
  const { user, system } = process.cpuUsage(cpu)
  authors.close()
  const { saves, sends, files } = authors.times
  return {
    ...{ saves: latenciesOf(saves), sends: latenciesOf(sends), files: latenciesOf(files) },
    unexpected: authors.unexpected,
    busy: (user + system) / 1000 / (performance.now() - began),
  }
}
