import type { Clock } from '#base/time.ts'
import { ownedBy } from '../account-transaction.ts'
import type { Leader, ServerOptions } from '../engine.ts'
import type { Database, Owner, ReadTxOf, StagedRows, WriteOptions, WriteTxOf } from '../port.ts'
import { postgresCatalog } from './catalog.ts'
import type { Connection } from './connection.ts'
import { GroupRead } from './group-read.ts'
import { GroupWrite } from './group-write.ts'
import { NodeSession } from './node-session.ts'
import { Session, type SessionOptions } from './session.ts'
import { discardRows, stageRows } from './staged-rows.ts'

export interface PostgresOptions {
  clock: Clock
  session: SessionOptions
  /** How many groups of reads run at once. */
  readers: number
  /** Holds the lock by which others see that a server runs. */
  isServer: boolean
  follow?: ServerOptions['follow']
  onGroup?: (writes: number) => void
}

/** One session writes, some read, and a server holds its lock by another. */
export class PostgresDatabase implements Database {
  readonly catalog = postgresCatalog
  readonly #sessions: Session[]
  readonly #reads: GroupRead
  readonly #writes: GroupWrite
  readonly #node: NodeSession
  readonly #spare: readonly Connection[]
  readonly #listeners: (() => void)[] = []
  #staged = 0
  #closing: Promise<void> | undefined

  constructor({ clock, session, readers, isServer, follow, onGroup }: PostgresOptions) {
    const writer = new Session(session)
    const reading = Array.from({ length: readers }, () => new Session(session))
    this.#spare = session.spare
    this.#sessions = [writer, ...reading]
    this.#reads = new GroupRead(reading, clock, session.patience)
    this.#writes = new GroupWrite({
      ...{ clock, session: writer, patience: session.patience, onGroup },
      onCommit: number => {
        this.#node.note(number)
        this.#tellOfCommit()
      },
    })
    this.#node = new NodeSession(session, { isServer, follow, onForeignCommit: () => this.#tellOfCommit() })
  }

  /** Has the work begin once this server leads. */
  lead(leader: Leader): void {
    this.#node.lead(leader)
  }

  /** Returns whether other servers hold the lock of servers. @throws DatabaseUnavailable */
  hasOthers(): Promise<boolean> {
    return this.#node.hasOthers()
  }

  /** Takes the lock of a server. @throws DatabaseUnavailable */
  async start(): Promise<void> {
    await this.#node.connect()
  }

  read<O extends Owner, T>(
    owner: O,
    work: (tx: ReadTxOf<O>) => Promise<T>,
    options?: { ahead?: boolean },
  ): Promise<T> {
    return this.#reads.read(owner, work, options)
  }

  write<O extends Owner, T>(
    owner: O,
    work: (tx: WriteTxOf<O>) => Promise<T>,
    options?: WriteOptions,
  ): Promise<T> {
    return this.#writes.write(tx => work(ownedBy(owner, tx) as WriteTxOf<O>), options?.isGuarded)
  }

  /** Other machines write too, and their commits are not known in time. */
  versionOf(): undefined {
    return undefined
  }

  stage(rows: Readonly<Record<string, readonly object[]>>): Promise<StagedRows> {
    const name = `staged_${++this.#staged}`
    return this.#writes.pauseFor(writer => stageRows(writer, name, rows))
  }

  discard(staged: StagedRows): Promise<void> {
    return this.#writes.pauseFor((writer: Connection) => discardRows(writer, staged))
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener)
    if (this.#listeners.length === 1) this.#node.watch()
  }

  /** The number of writes that wait for their transaction. */
  get queuedWrites(): number {
    return this.#writes.queued
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([this.#writes.close(), this.#reads.close()])
    await this.#node.close()
    await Promise.all([...this.#sessions, ...this.#spare].map(each => each.close()))
  }

  #tellOfCommit(): void {
    for (const listener of this.#listeners) listener()
  }
}
