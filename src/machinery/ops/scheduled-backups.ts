import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
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

/** A backup that there is. */
export interface MadeBackup {
  name: string
  /** Milliseconds. */
  at: number
  /** Bytes. */
  size: number
  byHand: boolean
}

/** How the last one ended, since the start: with its size in bytes, or why it failed. At an instant in milliseconds. */
export type BackupOutcome = { at: number; size: number } | { at: number; reason: string }

/** When backups are made, and how many are kept. */
export interface BackupPlan {
  folder: string
  /** A cron line. */
  every: string
  /** Of those of the schedule, and as many again of those by hand. */
  keep: number
  /** The next one, in milliseconds. */
  next: number
}

const BY_HAND = '-by-hand'

/** Backs a database up again and again. The newest are kept; nothing else in the folder is ever touched. */
export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions
  readonly #keep: number
  readonly #prefix: string
  readonly #every: string
  readonly #startedAt: number
  readonly #job: CronJob
  #running: Promise<void> | undefined
  #underWay: { since: number; copied: () => number } | undefined
  #last: BackupOutcome | undefined

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

  /**
   * Backs up now, unless it is doing so. What fails is logged.
   *
   * @param byHand one that somebody asks for takes the place of none of the schedule
   */
  run(byHand = false): Promise<void> {
    this.#running ??= this.#backUp(byHand ? BY_HAND : '').finally(() => {
      this.#running = undefined
      this.#underWay = undefined
    })
    return this.#running
  }

  /**
   * Whether a backup is missing that should have been there for a day.
   *
   * @returns the instant of the newest in milliseconds, null where there is none; undefined where all is well
   */
  async findLate(): Promise<{ newest: number | null } | undefined> {
    const newest = (await this.list())[0]?.at ?? null
    const due = new CronTime(this.#every).getNextDateFrom(new Date(newest ?? this.#startedAt))
    return this.#options.clock() > due.toMillis() + DAY ? { newest } : undefined
  }

  plan(): BackupPlan {
    const next = this.#job.nextDate().toMillis()
    return { folder: this.#options.folder, every: this.#every, keep: this.#keep, next }
  }

  /** Since when one is under way, in milliseconds, and how many bytes of it are there; undefined while none is. */
  underWay(): { since: number; copied: number } | undefined {
    return this.#underWay && { since: this.#underWay.since, copied: this.#underWay.copied() }
  }

  get last(): BackupOutcome | undefined {
    return this.#last
  }

  /** Its own, those by hand among them, newest first. @throws Error of the system */
  async list(): Promise<MadeBackup[]> {
    const made: MadeBackup[] = []
    for (const end of ['', BY_HAND]) {
      for (const name of await this.#listOwn(end)) {
        const found = await stat(join(this.#options.folder, name)).catch(() => undefined)
        // Another process may have deleted it meanwhile.
        if (found === undefined) continue
        const at = readBasicIso(name.slice(this.#prefix.length, -`${end}.db`.length))
        made.push({ name, at, size: found.size, byHand: end === BY_HAND })
      }
    }
    return made.sort((one, other) => other.at - one.at)
  }

  /** Opens one of its own. @returns undefined for any other name */
  async open(name: string): Promise<FileHandle | undefined> {
    const names = [...(await this.#listOwn('')), ...(await this.#listOwn(BY_HAND))]
    return names.includes(name) ? open(join(this.#options.folder, name)) : undefined
  }

  async #backUp(end: string): Promise<void> {
    const { backUp, folder, clock, log } = this.#options
    const since = clock()
    const name = `${this.#prefix}${toBasicIso(since)}${end}.db`
    this.#underWay = { since, copied: () => 0 }
    try {
      const began = performance.now()
      const size = await backUp(join(folder, name), copied => {
        this.#underWay = { since, copied }
      })
      log.info({ file: join(folder, name), size, ms: Math.round(performance.now() - began) }, 'backed up')
      this.#last = { at: clock(), size }
      await this.#deleteOld(name, end)
    } catch (error) {
      log.error({ err: error }, 'the backup failed')
      this.#last = { at: clock(), reason: reasonOf(error) }
    }
  }

  /** The one just made stays even if the clock has gone back. */
  async #deleteOld(made: string, end: string): Promise<void> {
    const { folder, log } = this.#options
    const others = (await this.#listOwn(end)).filter(name => name !== made)
    for (const name of others.slice(0, Math.max(0, others.length - this.#keep + 1))) {
      await rm(join(folder, name), { force: true })
      log.info({ file: join(folder, name) }, 'deleted an old backup')
    }
  }

  /** The names of its backups, oldest first. @param end those by hand, or those of the schedule */
  async #listOwn(end: string): Promise<string[]> {
    const entries = await readdir(this.#options.folder, { withFileTypes: true })
    return entries
      .filter(entry => entry.isFile() && this.#isOwn(entry.name, end))
      .map(entry => entry.name)
      .sort()
  }

  #isOwn(name: string, end: string): boolean {
    if (!name.startsWith(this.#prefix) || !name.endsWith(`${end}.db`)) return false
    return /^\d{8}T\d{6}Z$/.test(name.slice(this.#prefix.length, -`${end}.db`.length))
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
