import { DatabaseUnavailable } from '../port.ts'
import type { Connection } from './connection.ts'

/**
 * Counts, for each table, the commits that may have changed it. Commits of this process are known by their statements. SQLite
 * only reports that another process has committed, and not what, so such a commit counts for every table.
 */
export class TableVersions {
  readonly #writer: Connection
  readonly #own = new Map<string, number>()
  #foreign = 0
  #seen: number | undefined

  /** Makes the counter. @param writer of this process, whose own commits do not count as those of others */
  constructor(writer: Connection) {
    this.#writer = writer
  }

  /** Returns the version of a table. @returns undefined if SQLite does not answer now */
  of(table: string): number | undefined {
    try {
      const version = this.#writer.dataVersion()
      if (version !== this.#seen) {
        this.#seen = version
        this.#foreign++
      }
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return undefined
      throw error
    }
    // Neither number ever falls, so the sum stays the same only if both do.
    return this.#foreign + (this.#own.get(table) ?? 0)
  }

  /** Counts a commit of this process, before anything else of the program runs. */
  count(tables: Iterable<string>): void {
    for (const table of tables) this.#own.set(table, (this.#own.get(table) ?? 0) + 1)
  }
}
