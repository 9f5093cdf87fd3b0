import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type Clock, DAY, MINUTE } from '#base/time.ts'
import type { ScheduledBackups } from './scheduled-backups.ts'

/** How long one look at the disk serves all callers, in milliseconds. */
const SHARED_FOR = MINUTE
/** A certificate that ends sooner was not renewed in time. Certificates of 90 days are renewed 30 days before their end. */
export const CERTIFICATE_NEAR = 14 * DAY
/** A disk is nearly full with less than this free, whatever its size. It is also nearly full with less than a twentieth free. */
const LEAST_FREE = 500e6
const NEARLY_FULL = 0.05
/** This much is enough on a large disk, where a twentieth would be more. */
const ENOUGH_FREE = 10e9

/** The needs of the instance, for the person who runs it. */
export interface InstanceNeeds {
  /** The server only admits people, and whoever signs in here should know. */
  isDoorOnly?: true
  /** Backups are late. `newest` is in milliseconds, or null if there is none. */
  backup?: { newest: number | null } | undefined
  /** True if the server itself makes no backups. */
  isWithoutBackups: boolean
  /** The end of the certificate in milliseconds, if it is near or over. */
  certificateEnds?: number | undefined
  /** The space on the disk of the data, if it is nearly full. */
  disk?: DiskSpace | undefined
}

/** Both values are in bytes. */
export interface DiskSpace {
  free: number
  total: number
}

export interface InstanceWatchOptions {
  isDoorOnly?: boolean
  backups: Pick<ScheduledBackups, 'findLate'> | undefined
  certificateEnds: () => number | undefined
  /** The folder of the data. */
  data: string
  clock: Clock
  log: Logger
  /** For tests. */
  diskSpace?: ((folder: string) => Promise<DiskSpace>) | undefined
}

/** Knows what the instance lacks, at no cost to a page. */
export class InstanceWatch {
  readonly #options: InstanceWatchOptions
  #last: { at: number; needs: Promise<InstanceNeeds> } | undefined

  constructor(options: InstanceWatchOptions) {
    this.#options = options
  }

  /** Returns the needs. It never throws, and leaves out what it cannot find out. */
  needs(): Promise<InstanceNeeds> {
    const now = this.#options.clock()
    if (this.#last === undefined || Math.abs(now - this.#last.at) >= SHARED_FOR) {
      this.#last = { at: now, needs: this.#look(now) }
    }
    return this.#last.needs
  }

  async #look(now: number): Promise<InstanceNeeds> {
    const { backups, certificateEnds, data, isDoorOnly = false, diskSpace = readDiskSpace } = this.#options
    const ends = certificateEnds()
    const disk = await this.#orNothing(diskSpace(data))
    return {
      ...(isDoorOnly ? { isDoorOnly } : {}),
      backup: await this.#orNothing(backups?.findLate()),
      isWithoutBackups: backups === undefined,
      certificateEnds: ends !== undefined && ends - now < CERTIFICATE_NEAR ? ends : undefined,
      disk: disk !== undefined && isNearlyFull(disk) ? disk : undefined,
    }
  }

  async #orNothing<Found>(looking: Promise<Found> | undefined): Promise<Found | undefined> {
    try {
      return await looking
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the state of the instance could not be found out')
      return undefined
    }
  }
}

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

export function isNearlyFull({ free, total }: DiskSpace): boolean {
  return free < LEAST_FREE || free < Math.min(NEARLY_FULL * total, ENOUGH_FREE)
}
