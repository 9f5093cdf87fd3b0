import type { Clock } from '../time.ts'
import type { Reader } from './batches.ts'
import type { Database } from './port.ts'

/** A database engine, whose database may not exist yet: everything that the server and the commands need beside the port. */
export interface Engine {
  /** Where the database is, as text for a sentence. */
  readonly place: string

  /** @throws Refusal when that cannot be found out */
  exists(): boolean

  /** Whether a server runs on it. */
  isServed(): boolean

  /** Refuses files that could be mistaken for the database, before anything opens them. @throws Refusal */
  refuseStray(): void

  /**
   * Claims the database, then opens or makes it for a server. A refusal leaves nothing behind.
   *
   * @throws Refusal
   */
  openForServer(options: ServerOptions): Promise<OpenedDatabase>

  /** Opens or makes the database for a command, which may run beside a server and then waits longer for it. @throws Refusal */
  openForCommand(clock: Clock): Promise<Database>

  /**
   * Copies the database, as it is at one instant, to a new file, while servers and commands write to it.
   *
   * @param onBegin gets what says how many bytes are copied so far
   * @returns the size of the copy in bytes
   * @throws Refusal; nothing is left then
   */
  backUp: (target: string, onBegin?: (copied: () => number) => void) => Promise<number>

  /**
   * Makes the database from a backup.
   *
   * @param findUnfit finds rows that no server could work with
   * @throws Refusal when there is a database already, or the file or its rows are unfit; nothing is left then
   * @throws Error of the system
   */
  restore(file: string, findUnfit: FaultFinder): Promise<{ version: number }>

  /**
   * Looks for damage, also while the database is in use.
   *
   * @param findMore finds faults in the rows, if they can be read
   * @returns a sentence for each damage
   * @throws Refusal when it cannot be opened, or has another version than this program
   */
  inspect(findMore: FaultFinder): Promise<string[]>
}

/** Reads the rows, in short reads, and gives a sentence for each fault. */
export type FaultFinder = (reader: Reader) => Promise<string[]>

export interface ServerOptions {
  clock: Clock
  /** Called when it is no longer known what is on the disk, or, with a Refusal, when the database was lost. */
  onFailure: (error: unknown) => void
  /** Receives the engine's metrics. */
  meter?: Meter | undefined
}

/** The database of a server. */
export interface OpenedDatabase {
  readonly db: Database
  /** Resolves once the database has been written to. @throws DatabaseUnavailable, or another error of the write */
  probe: () => Promise<void>
  /** Like the engine's own; refuses a file that has taken the place of the open database. */
  backUp: Engine['backUp']
  /** What it takes on the disk. */
  size: () => Promise<DatabaseSize>
  /** Waits for reads and writes under way, closes the database, and only then releases the claim. */
  close: () => Promise<void>
}

/** Bytes. */
export interface DatabaseSize {
  data: number
  /** What is written and not yet among the data. */
  log: number
}

/** Registers metrics in the terms of Prometheus. The engine names them, without the prefix of the program. */
export interface Meter {
  /** @returns a function that counts one more for that value of the label */
  counter(name: string, help: string, label: string): (value: string) => void
  /** @returns a function that observes one more value */
  histogram(name: string, help: string, buckets: number[]): (value: number) => void
  /** @param look called at each scrape; if it throws, the value is NaN */
  gauge(name: string, help: string, look: () => number): void
}
