import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CronTime } from 'cron'
import type { Logger } from 'pino'
import { Refusal } from '#base/refusal.ts'
import { type Clock, DAY, readBasicIso, toBasicIso } from '#base/time.ts'
import type { OpenedDatabase } from '#machinery/db/engine.ts'
import { makeFolders } from '#machinery/files/make-folders.ts'
import { reasonOf } from '#machinery/files/system-error.ts'

/** Every night at three, in the time zone of the machine, as cron has it. */
export const EVERY = '0 3 * * *'
const KEEP = 7

export interface ScheduledBackupsOptions {
  backUp: OpenedDatabase['backUp']
  /** The folder for the backups. */
  folder: string
  /** A cron line. */
  every?: string | undefined
  /** How many backups of this database are kept. */
  keep?: number | undefined
  /** The secret of the instance. It gives the files their names, so that two servers may share a folder. */
  secret: string
  clock: Clock
  log: Logger
}

/** An existing backup. */
export interface MadeBackup {
  name: string
  /** Milliseconds. */
  at: number
  /** Bytes. */
  size: number
  byHand: boolean
  /** True for a backup without secrets. A server restored from it needs new ones, so it does not count as a backup. */
  isToPassOn: boolean
}

/**
 * How the last backup since the start ended: with its size in bytes, or with the reason of its failure. The instant is in
 * milliseconds.
 */
export type BackupOutcome = { at: number; size: number } | { at: number; reason: string }

/** When backups are made, and how many are kept. */
export interface BackupPlan {
  folder: string
  /** A cron line. */
  every: string
  /** How many of those by the schedule are kept, and as many of those by hand and of those to pass on. */
  keep: number
  /** The instant of the next backup, in milliseconds. */
  next: number
}

const BY_HAND = '-by-hand'
const TO_PASS_ON = '-without-secrets'
const ENDS = ['', BY_HAND, TO_PASS_ON] as const
type End = (typeof ENDS)[number]

/** Who asks for a backup: the schedule, somebody for a whole one, or somebody for one to give to others. */
export type BackupKind = 'schedule' | 'hand' | 'pass_on'
const END_OF: Readonly<Record<BackupKind, End>> = { schedule: '', hand: BY_HAND, pass_on: TO_PASS_ON }

/** Backs a database up as often as the schedule says. It keeps the newest, and never touches anything else in the folder. */
export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions
  readonly #keep: number
  readonly #prefix: string
  /** A cron line. */
  readonly every: string
  readonly #startedAt: number
  #running: Promise<void> | undefined
  #kind: BackupKind | undefined
  /** A whole backup that waits behind one to pass on. */
  #following: Promise<void> | undefined
  #isStopped = false
  #underWay: { since: number; copied: () => number } | undefined
  #last: BackupOutcome | undefined

  /** Prepares the folder. @throws Refusal if the folder cannot be made or written to */
  constructor(options: ScheduledBackupsOptions) {
    this.#options = options
    this.#keep = options.keep ?? KEEP
    this.#prefix = prefixOf(options.secret)
    prepareFolder(options.folder)
    this.every = options.every ?? EVERY
    this.#startedAt = options.clock()
  }

  /** Stops further backups, but not the one under way. */
  stop(): void {
    this.#isStopped = true
  }

  /** Waits for the backup under way. */
  async ended(): Promise<void> {
    await this.#running
  }

  /**
   * Backs up now, unless a backup is already under way. A backup to pass on does not count, so a whole one follows it. Failures
   * are logged.
   *
   * @param kind a backup that somebody asks for replaces none of the schedule
   */
  run(kind: BackupKind = 'schedule'): Promise<void> {
    if (this.#running !== undefined && this.#kind === 'pass_on' && kind !== 'pass_on') {
      this.#following ??= this.#running.then(() => {
        this.#following = undefined
        return this.#isStopped ? undefined : this.run(kind)
      })
      return this.#following
    }
    if (this.#running === undefined) {
      this.#kind = kind
      this.#running = this.#backUp(END_OF[kind]).finally(() => {
        this.#running = undefined
        this.#underWay = undefined
      })
    }
    return this.#running
  }

  /**
   * Finds out whether a backup is missing that was due more than a day ago.
   *
   * @returns the instant of the newest in milliseconds, null if there is none, or undefined if all is well
   */
  async findLate(): Promise<{ newest: number | null } | undefined> {
    const newest = (await this.list()).find(({ isToPassOn }) => !isToPassOn)?.at ?? null
    const due = dueAfter(this.every, newest ?? this.#startedAt)
    return this.#options.clock() > due + DAY ? { newest } : undefined
  }

  plan(): BackupPlan {
    const next = new CronTime(this.every).sendAt().toMillis()
    return { folder: this.#options.folder, every: this.every, keep: this.#keep, next }
  }

  /**
   * Returns since when a backup is under way, in milliseconds, and how many of its bytes are written. Returns undefined if none
   * is.
   */
  underWay(): { since: number; copied: number } | undefined {
    return this.#underWay && { since: this.#underWay.since, copied: this.#underWay.copied() }
  }

  get last(): BackupOutcome | undefined {
    return this.#last
  }

  /** Lists its own backups, including those by hand, newest first. @throws Error of the system */
  list(): Promise<MadeBackup[]> {
    return listBackups(this.#options.folder, this.#options.secret)
  }

  /** Opens one of its own backups. @returns undefined for any other name */
  async open(name: string): Promise<FileHandle | undefined> {
    const names = (await Promise.all(ENDS.map(end => this.#listOwn(end)))).flat()
    return names.includes(name) ? open(join(this.#options.folder, name)) : undefined
  }

  async #backUp(end: End): Promise<void> {
    const { backUp, folder, clock, log } = this.#options
    const since = clock()
    const name = `${this.#prefix}${toBasicIso(since)}${end}.db`
    this.#underWay = { since, copied: () => 0 }
    try {
      const began = performance.now()
      const onBegin = (copied: () => number) => {
        this.#underWay = { since, copied }
      }
      const size = await backUp(join(folder, name), onBegin, end === TO_PASS_ON)
      log.info({ file: join(folder, name), size, ms: Math.round(performance.now() - began) }, 'backed up')
      this.#last = { at: clock(), size }
      await this.#deleteOld(name, end)
    } catch (error) {
      log.error({ err: error }, 'the backup failed')
      this.#last = { at: clock(), reason: reasonOf(error) }
    }
  }

  /** Deletes old backups. The one just made stays even if the clock has gone back. */
  async #deleteOld(made: string, end: End): Promise<void> {
    const { folder, log } = this.#options
    const others = (await this.#listOwn(end)).filter(name => name !== made)
    for (const name of others.slice(0, Math.max(0, others.length - this.#keep + 1))) {
      await rm(join(folder, name), { force: true })
      log.info({ file: join(folder, name) }, 'deleted an old backup')
    }
  }

  #listOwn(end: End): Promise<string[]> {
    return listNames(this.#options.folder, this.#prefix, end)
  }
}

/** Returns how the names of the backups of an instance begin. */
function prefixOf(secret: string): string {
  return `turnout-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}-`
}

/** Lists the backups of the instance with that secret, newest first. @throws Error of the system */
export async function listBackups(folder: string, secret: string): Promise<MadeBackup[]> {
  const prefix = prefixOf(secret)
  const made: MadeBackup[] = []
  for (const end of ENDS) {
    for (const name of await listNames(folder, prefix, end)) {
      const found = await stat(join(folder, name)).catch(() => undefined)
      // Another process may have deleted it meanwhile.
      if (found === undefined) continue
      const at = readBasicIso(name.slice(prefix.length, -`${end}.db`.length))
      made.push({ name, at, size: found.size, byHand: end !== '', isToPassOn: end === TO_PASS_ON })
    }
  }
  return made.sort((one, other) => other.at - one.at)
}

/** Lists the names of backups, oldest first. @param end chooses those by hand, to pass on, or of the schedule */
async function listNames(folder: string, prefix: string, end: End): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const isOwn = (name: string) =>
    name.startsWith(prefix) &&
    name.endsWith(`${end}.db`) &&
    /^\d{8}T\d{6}Z$/.test(name.slice(prefix.length, -`${end}.db`.length))
  return entries
    .filter(entry => entry.isFile() && isOwn(entry.name))
    .map(entry => entry.name)
    .sort()
}

/** Returns when the backup after that instant is due. Both are in milliseconds. @param every a cron line */
export function dueAfter(every: string, instant: number): number {
  return new CronTime(every).getNextDateFrom(new Date(instant)).toMillis()
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
