import type { Clock } from '#base/time.ts'
import type { Reader, ValueReader } from './batches.ts'
import type { InsertRows } from './copy.ts'
import type { Database } from './port.ts'

/**
 * A database engine, whose database may not exist yet. It has everything that the server and the commands need beside the port.
 */
export interface Engine {
  /** The place of the database, as text for a sentence. */
  readonly place: string

  /** Of what a copy is kept of a damaged database, and how the last backup is restored: the middle of a sentence. */
  readonly rescue: string

  /** Returns whether the database exists. @throws Refusal if nobody can find out */
  exists(): Promise<boolean>

  /** Returns whether a server runs on the database. @throws Refusal if nobody can find out */
  isServed(): Promise<boolean>

  /** Refuses files that could be mistaken for the database, before anything opens them. @throws Refusal */
  refuseStray(): void

  /**
   * Claims the database, then opens or makes it for a server. A refusal leaves nothing behind.
   *
   * @throws Refusal
   */
  openForServer(options: ServerOptions): Promise<OpenedDatabase>

  /**
   * Opens or makes the database for a command. The command may run beside a server and then waits longer for the database.
   *
   * @throws Refusal
   */
  openForCommand(clock: Clock): Promise<Database>

  /**
   * Copies the database, as it is at one instant, to a new file, while servers and commands write to it.
   *
   * @param onBegin gets a function that returns how many bytes are copied so far
   * @param isToPassOn leaves the secrets out, and a restore makes new ones
   * @returns the size of the copy in bytes
   * @throws Refusal, which leaves nothing behind
   */
  backUp: (target: string, onBegin?: (copied: () => number) => void, isToPassOn?: boolean) => Promise<number>

  /**
   * Makes the database from a backup.
   *
   * @param findUnfit finds rows that no server could work with
   * @returns the version of the database, and the renewed secrets
   * @throws Refusal if there is a database already, or the file or its rows are unfit, and leaves nothing behind
   * @throws Error of the system
   */
  restore<Renewed>(
    file: string,
    findUnfit: FaultFinder,
    steps: RestoreSteps<Renewed>,
  ): Promise<Restored<Renewed>>

  /**
   * Makes the database from rows that another one has. All of them are there afterwards, or nothing is.
   *
   * @param fill inserts the rows
   * @throws Refusal if there is data already
   */
  receive<T>(fill: (insert: InsertRows) => Promise<T>): Promise<T>

  /**
   * Reads a database that is in use or not, and changes nothing, not even an older version.
   *
   * @param work gets the name of the engine with its version
   * @throws Refusal if the database cannot be opened, or has another version than this program
   */
  look<T>(work: (reader: Reader, engine: string) => Promise<T>): Promise<T>

  /**
   * Looks for damage, also while the database is in use.
   *
   * @param findMore finds faults in the rows, if they can be read
   * @returns a sentence for each damage
   * @throws Refusal if the database cannot be opened, or has another version than this program
   */
  inspect(findMore: FaultFinder): Promise<string[]>
}

export interface RestoreSteps<Renewed> {
  /** Makes new secrets for a copy that was made without secrets. */
  renew: (db: Database) => Promise<Renewed>
  /** Runs once everything is well, before the database gets its place. */
  beforePlace: () => void
}

export interface Restored<Renewed> {
  version: number
  /** It is missing if the backup had its secrets. */
  renewed?: Renewed
}

/** Reads the rows, in short reads, and returns a sentence for each fault. */
export type FaultFinder = (reader: ValueReader) => Promise<string[]>

export interface ServerOptions {
  clock: Clock
  /** Runs when nobody knows any more what is on the disk, or, with a Refusal, when the database was lost. */
  onFailure: (error: unknown) => void
  /**
   * Follows the clock of a database that other machines use too. What `ask` returns is told the instant that the database says, and
   * returns how far that is ahead of the machine's clock, in milliseconds. Without it, nobody compares the two.
   */
  follow?: { own: Clock; ask: () => (instant: number) => number } | undefined
  /** Receives the engine's metrics. */
  meter?: Meter | undefined
}

/** The database of a server. */
export interface OpenedDatabase {
  readonly db: Database
  /** The name of the engine with its version. */
  readonly engine: string
  /** True if the engine itself knows a copy of the database from the one that servers ran on before. */
  readonly hasOwnMark?: boolean
  /** Has the work begin once this server leads. It is missing if no other server can have the database. */
  readonly lead?: (leader: Leader) => void
  /** Returns whether other servers run on the database now. It is missing if none can. */
  readonly hasOthers?: () => Promise<boolean>
  /** Writes to the database and resolves once that has succeeded. @throws DatabaseUnavailable, or another error of the write */
  probe: () => Promise<void>
  /** Works like the engine's `backUp`, and refuses a file that has taken the place of the open database. */
  backUp: Engine['backUp']
  /** Returns the space that the database takes on the disk. */
  size: () => Promise<DatabaseSize>
  /** Waits for reads and writes under way, closes the database, and only then releases the claim. */
  close: () => Promise<void>
}

/** The work of which a database has only one at a time, however many servers it has. */
export interface Leader {
  /** Begins the work. It may do so again after it has ended. */
  begin(): void
  /** Ends the work, because nobody knows any more whether this server leads. */
  end(): Promise<void>
}

/** All sizes are in bytes. */
export interface DatabaseSize {
  data: number
  /** The part that is written to the log and not yet to the data. */
  log: number
}

/** Registers metrics in the terms of Prometheus. The engine names them without the prefix of the program. */
export interface Meter {
  /** Registers a counter. @returns a function that counts one more for that value of the label */
  counter(name: string, help: string, label: string): (value: string) => void
  /** Registers a histogram. @returns a function that observes one more value */
  histogram(name: string, help: string, buckets: number[]): (value: number) => void
  /** Registers a gauge. @param look is called at each scrape, and if it throws, the value is NaN */
  gauge(name: string, help: string, look: () => number): void
}
