import type { Clock } from '../time.ts'
import type { Reader } from './batches.ts'
import type { Database } from './port.ts'

/** What keeps a database, which may not be there yet: all that the server and the commands ask for beside the port. */
export interface Engine {
  /** Where the database is, as a sentence names it. */
  readonly place: string

  /** @throws Refusal when nobody can tell */
  isThere(): boolean

  /** Whether a server runs on it. */
  isServed(): boolean

  /** Refuses what would be taken for something else than it is, before anything opens it. @throws Refusal */
  refuseStray(): void

  /**
   * Opens it for a server, or makes it, and claims it first: what is refused leaves nothing behind.
   *
   * @throws Refusal
   */
  openForServer(options: ServerOptions): Promise<OpenedDatabase>

  /** Opens it for a command, or makes it. A command may run beside a server and then has the longer patience. @throws Refusal */
  openForCommand(clock: Clock): Promise<Database>

  /**
   * Copies it, as it is at one instant, to a new file, while servers and commands write to it.
   *
   * @returns the size of the copy in bytes
   * @throws Refusal; nothing is left then
   */
  backUp: (target: string) => Promise<number>

  /**
   * Makes it from a backup.
   *
   * @param findUnfit looks at the rows
   * @throws Refusal when there is one, or the file is none that a server could work with; nothing is left then
   * @throws Error of the system
   */
  restore(file: string, findUnfit: Look): Promise<{ version: number }>

  /**
   * Looks for damage, also while it is in use.
   *
   * @param findMore looks at the rows, where they can be read
   * @returns a sentence for each damage
   * @throws Refusal when it cannot be opened, or has another version than this program
   */
  inspect(findMore: Look): Promise<string[]>
}

/** Looks at the rows, in short reads, and gives a sentence for each fault. */
export type Look = (reader: Reader) => Promise<string[]>

export interface ServerOptions {
  clock: Clock
  /** What is done when nobody knows any more what is kept, or, with a Refusal, what was lost. */
  onFailure: (error: unknown) => void
  /** Where the engine tells its figures. */
  meter?: Meter | undefined
}

/** The database of a server. */
export interface OpenedDatabase {
  readonly db: Database
  /** Resolves once it has been written to. @throws DatabaseUnavailable, or what else there is to say against it */
  probe: () => Promise<void>
  /** As that of the engine; refuses what has taken the place of the database that is open. */
  backUp: Engine['backUp']
  /** Waits for what is under way, closes it, and only then lets go of the claim. */
  close: () => Promise<void>
}

/** Takes in figures in the terms of Prometheus, whose names the engine gives, without the prefix of the program. */
export interface Meter {
  /** @returns counts one more with that value of the label */
  counter(name: string, help: string, label: string): (value: string) => void
  /** @returns takes in one more value */
  histogram(name: string, help: string, buckets: number[]): (value: number) => void
  /** @param look is called when somebody asks; where it throws, the figure is not a number */
  gauge(name: string, help: string, look: () => number): void
}
