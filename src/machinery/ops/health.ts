import type { Logger } from 'pino'
import { describeError } from '#base/log.ts'
import { SECOND } from '#base/time.ts'
import type { OpenedDatabase } from '#machinery/db/engine.ts'

/** How long all callers get the same answer, in milliseconds. So asking often costs the disk nothing. */
const SHARED_FOR = SECOND
/** How long a write may take, in milliseconds. */
const PATIENCE = 3 * SECOND

/** A fault that whoever monitors the service should know while it works. */
export interface HealthDetail {
  code: 'clock_apart' | 'clock_behind' | 'clock_jumped'
  message: string
}

/** Tells whoever monitors the service whether the database can be written, and what else to know. */
export interface HealthService {
  isHealthy: () => Promise<boolean>
  healthDetails: () => readonly HealthDetail[]
}

/** The path of the health check, on every port, beside what else is there. */
export const healthRoute = { path: '/healthz' } as const

export function healthBody(healthy: boolean, details: readonly HealthDetail[]): string {
  const status = healthy ? 'ok' : 'unavailable'
  return JSON.stringify(details.length === 0 ? { status } : { status, details })
}

export interface HealthOptions {
  probe: OpenedDatabase['probe']
  log: Logger
}

/** Finds out whether the database can be written, by writing to it. */
export class Health {
  readonly #options: HealthOptions
  #last: { at: number; healthy: boolean } | undefined
  #writing: Promise<boolean> | undefined
  #verdict: Promise<boolean> | undefined
  #stopping = false
  #reported = true

  constructor(options: HealthOptions) {
    this.#options = options
  }

  /**
   * Returns true if the database can be written now, or could within the last second. It never throws, and answers within 3
   * seconds.
   */
  async isHealthy(): Promise<boolean> {
    if (this.#stopping) return false
    if (this.#last !== undefined && performance.now() - this.#last.at < SHARED_FOR) return this.#last.healthy
    this.#verdict ??= this.#judge().finally(() => {
      this.#verdict = undefined
    })
    const healthy = await this.#verdict
    return healthy && !this.#stopping
  }

  /** Makes every later answer false. */
  stop(): void {
    this.#stopping = true
  }

  async #judge(): Promise<boolean> {
    // Only one write runs at a time, even if it takes longer than anybody waits.
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(this.#conclude(false, 'it takes too long')), PATIENCE)
    })
    try {
      return await Promise.race([this.#writing, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  async #write(): Promise<boolean> {
    try {
      await this.#options.probe()
      return this.#conclude(true)
    } catch (error) {
      return this.#conclude(false, reasonOf(error))
    }
  }

  #conclude(healthy: boolean, reason?: string): boolean {
    this.#last = { at: performance.now(), healthy }
    if (healthy !== this.#reported) {
      if (healthy) this.#options.log.info('the database can be written again')
      else this.#options.log.warn({ reason }, 'the database cannot be written')
    }
    this.#reported = healthy
    return healthy
  }
}

function reasonOf(error: unknown): string {
  const { message, code, type } = describeError(error)
  return message ?? code ?? type
}
