import type { Answer, Client } from './client.ts'

export interface Import {
  idempotencyKey: string
  /** The bytes of the request. */
  body: string
}

/** Runs clients that import registrations, each one after another, until they are stopped or the connection breaks. */
export class ImportLoad {
  /** Every import that was sent, answered or not. */
  readonly sent: Import[] = []
  /** The answers that came whole, by idempotency key. */
  readonly answered = new Map<string, Answer>()
  /** The errors that made the connections break. */
  readonly broken: string[] = []
  readonly #client: Client
  readonly #make: (number: number) => object
  readonly #name: string
  readonly #waiting: { count: number; resolve: () => void }[] = []
  readonly #workers: Promise<void>
  #stopping = false

  /**
   * @param name starts the idempotency keys of this load
   * @param make the body of the import of this number
   */
  constructor(client: Client, name: string, workers: number, make: (number: number) => object) {
    this.#client = client
    this.#name = name
    this.#make = make
    this.#workers = Promise.all(Array.from({ length: workers }, () => this.#work())).then(() => undefined)
    // A failure is thrown to the caller that waits for the end, or for a count.
    this.#workers.catch(() => undefined)
  }

  /** Waits until so many were answered. */
  async reached(count: number): Promise<void> {
    if (this.answered.size >= count) return
    const reached = new Promise<void>(resolve => this.#waiting.push({ count, resolve }))
    await Promise.race([
      reached,
      this.#workers.then(() => {
        throw new Error(`The load ended after ${this.answered.size} answers: ${this.broken.join(', ')}`)
      }),
    ])
  }

  /** Waits until every connection broke. */
  ended(): Promise<void> {
    return this.#workers
  }

  /** Sends no more, and waits for the answers to what was sent. */
  stop(): Promise<void> {
    this.#stopping = true
    return this.#workers
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const number = this.sent.length
      const one = { idempotencyKey: `${this.#name}-${number}`, body: JSON.stringify(this.#make(number)) }
      this.sent.push(one)
      let answer: Answer
      try {
        answer = await sendImport(this.#client, one)
      } catch (error) {
        this.broken.push(brokenConnection(error))
        return
      }
      this.answered.set(one.idempotencyKey, answer)
      for (const { count, resolve } of this.#waiting) if (this.answered.size >= count) resolve()
    }
  }
}

export function sendImport(client: Client, { idempotencyKey, body }: Import): Promise<Answer> {
  return client.post('/registrations', body, { headers: { 'Idempotency-Key': idempotencyKey } })
}

/** The code of an error of the connection; any other error is thrown on. */
export function brokenConnection(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!/^(UND_ERR_SOCKET|ECONNRESET|ECONNREFUSED|EPIPE)$/.test(code)) throw error
  return code
}
