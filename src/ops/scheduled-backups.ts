import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CronJob, CronTime } from 'cron'
import type { Logger } from 'pino'
import type { OpenedDatabase } from '../db/engine.ts'
import { makeFolders } from '../files/make-folders.ts'
import { reasonOf } from '../files/system-error.ts'
import { Refusal } from '../refusal.ts'
import { type Clock, DAY, readBasicIso, toBasicIso } from '../time.ts'

/** Every night at three, in the time zone of the machine, as cron itself has it. */
const EVERY = '0 3 * * *'
const KEEP = 7

export interface ScheduledBackupsOptions {
  backUp: OpenedDatabase['backUp']
  /** Where the backups go. */
  folder: string
  /** A cron line. */
  every?: string | undefined
  /** How many backups of this database are kept. */
  keep?: number | undefined
  /** Of the instance: names its files, so that two servers may share a folder. */
  secret: string
  clock: Clock
  log: Logger
}

/** Backs a database up again and again. The newest are kept; nothing else in the folder is ever touched. */
export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions
  readonly #keep: number
  readonly #prefix: string
  readonly #every: string
  readonly #startedAt: number
  readonly #job: CronJob
  #running: Promise<void> | undefined

  /** @throws Refusal when the folder cannot be made or written to */
  constructor(options: ScheduledBackupsOptions) {
    this.#options = options
    this.#keep = options.keep ?? KEEP
    this.#prefix = `turnout-${createHash('sha256').update(options.secret).digest('hex').slice(0, 8)}-`
    prepareFolder(options.folder)
    this.#every = options.every ?? EVERY
    this.#startedAt = options.clock()
    this.#job = CronJob.from({ cronTime: this.#every, onTick: () => void this.run() })
  }

  start(): void {
    this.#job.start()
  }

  /** There are no more, but for the one that is under way. */
  stop(): void {
    void this.#job.stop()
  }

  /** Waits for the backup that is under way. */
  async ended(): Promise<void> {
    await this.#running
  }

  /** Backs up now, unless it is doing so. What fails is logged. */
  run(): Promise<void> {
    this.#running ??= this.#backUp().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /**
   * Whether a backup is missing that should have been there for a day, by the names of the files.
   *
   * @returns the instant of the newest in milliseconds, null where there is none; undefined where all is well
   */
  async findLate(): Promise<{ newest: number | null } | undefined> {
    const instants = (await this.#listOwn()).map(name => readBasicIso(name.slice(this.#prefix.length, -3)))
    const newest = instants.length === 0 ? null : Math.max(...instants)
    const due = new CronTime(this.#every).getNextDateFrom(new Date(newest ?? this.#startedAt))
    return this.#options.clock() > due.toMillis() + DAY ? { newest } : undefined
  }

  async #backUp(): Promise<void> {
    const { backUp, folder, clock, log } = this.#options
    const name = `${this.#prefix}${toBasicIso(clock())}.db`
    try {
      const began = performance.now()
      const size = await backUp(join(folder, name))
      log.info({ file: join(folder, name), size, ms: Math.round(performance.now() - began) }, 'backed up')
      await this.#deleteOld(name)
    } catch (error) {
      log.error({ err: error }, 'the backup failed')
    }
  }

  /** The one just made stays even if the clock has gone back. */
  async #deleteOld(made: string): Promise<void> {
    const { folder, log } = this.#options
    const others = (await this.#listOwn()).filter(name => name !== made)
    for (const name of others.slice(0, Math.max(0, others.length - this.#keep + 1))) {
      await rm(join(folder, name), { force: true })
      log.info({ file: join(folder, name) }, 'deleted an old backup')
    }
  }

  /** The names of its backups, oldest first. */
  async #listOwn(): Promise<string[]> {
    const entries = await readdir(this.#options.folder, { withFileTypes: true })
    return entries
      .filter(entry => entry.isFile() && this.#isOwn(entry.name))
      .map(entry => entry.name)
      .sort()
  }

  #isOwn(name: string): boolean {
    return name.startsWith(this.#prefix) && /^\d{8}T\d{6}Z\.db$/.test(name.slice(this.#prefix.length))
  }
}

function prepareFolder(folder: string): void {
  try {
    makeFolders(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Refusal(
      `The backup folder ${folder} cannot be used: ${reasonOf(error)}. Choose another with --backup-dir, or check who owns it, and its rights.`,
    )
  }
}
