import { type Answered, Connection, toText } from './connection.ts'

/** Connections that many browsers share, because one address may not have one for each: those that have nothing to ask lend theirs. */
export class Connections {
  readonly #server: { host: string; port: number }
  readonly #most: number
  readonly #idle: Connection[] = []
  readonly #waiting: ((connection: Connection) => void)[] = []
  #open = 0

  /** @param most how many are open at once */
  constructor(server: { host: string; port: number }, most: number) {
    this.#server = server
    this.#most = most
  }

  async ask(method: 'GET' | 'POST', path: string, form?: URLSearchParams): Promise<Answered> {
    const connection = await this.#take()
    const answered = await connection.send(toText({ method, path, form: form?.toString() }))
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(connection)
    else next(connection)
    return answered
  }

  /** Closes those that nobody uses. */
  close(): void {
    for (const connection of this.#idle) connection.close()
  }

  #take(): Connection | Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#open >= this.#most) return new Promise(resolve => this.#waiting.push(resolve))
    this.#open++
    return Connection.open(this.#server.host, this.#server.port)
  }
}
