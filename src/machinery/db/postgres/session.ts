import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseClosed, DatabaseUnavailable } from '../port.ts'
import { Connection, type SessionLimits } from './connection.ts'
import { explainStatement } from './faults.ts'

/** How often a lost session is tried again, in milliseconds. */
const RETRY = 100

export interface SessionOptions {
  url: string
  limits: SessionLimits
  /** Connections that the opening has made, for the first sessions that want one. */
  spare: Connection[]
  /** How long work waits for a server that is away, in milliseconds. */
  patience: number
  /** Looks at each new session before anything uses it. @throws DatabaseUnavailable */
  inspect: (connection: Connection) => Promise<void>
}

/** One session, which is made anew when it was lost. */
export class Session {
  readonly #options: SessionOptions
  #connection: Connection | undefined
  #connecting: Promise<Connection> | undefined
  #isClosed = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** Returns the session. @throws DatabaseUnavailable if the server stays away */
  async get(): Promise<Connection> {
    if (this.#connection !== undefined && !this.#connection.isBroken) return this.#connection
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#connecting?.catch(() => undefined)
    await this.#connection?.close()
  }

  async #connect(): Promise<Connection> {
    const { url, limits, spare, patience, inspect } = this.#options
    const until = performance.now() + patience
    for (;;) {
      if (this.#isClosed) throw new DatabaseClosed()
      let connection: Connection | undefined
      try {
        connection = spare.pop() ?? (await Connection.open(url, limits))
        await inspect(connection)
        this.#connection = connection
        return connection
      } catch (error) {
        await connection?.close()
        const failure = explainStatement(error)
        if (!(failure instanceof DatabaseUnavailable) || performance.now() >= until) throw failure
      }
      await pause(RETRY)
    }
  }
}
