import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type Clock, DAY, MINUTE } from '../time.ts'
import type { ScheduledBackups } from './scheduled-backups.ts'

/** How long one look at the disk serves all who ask, in milliseconds. */
const SHARED_FOR = MINUTE
/** A certificate that ends sooner was not renewed when it should have been: those of 90 days are 30 days before. */
const CERTIFICATE_NEAR = 14 * DAY
/** A disk is nearly full with less than this free, whatever its size, and with a twentieth of it where that is more. */
const LEAST_FREE = 500e6
const NEARLY_FULL = 0.05
/** A twentieth of a large disk is plenty. */
const ENOUGH_FREE = 10e9

/** What whoever runs the instance should see to. */
export interface InstanceNeeds {
  /** It only admits, and whoever signs in here should know. */
  isDoorOnly?: true
  /** Backups are late: the newest in milliseconds, null where there is none. */
  backup?: { newest: number | null } | undefined
  /** Nothing is backed up by the server itself. */
  isWithoutBackups: boolean
  /** When the certificate ends, in milliseconds, where that is near or over. */
  certificateEnds?: number | undefined
  /** Bytes, where the disk of the data is nearly full. */
  disk?: DiskSpace | undefined
}

/** In bytes. */
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

/** Knows what the instance lacks, by means that cost a page nothing. */
export class InstanceWatch {
  readonly #options: InstanceWatchOptions
  #last: { at: number; needs: Promise<InstanceNeeds> } | undefined

  constructor(options: InstanceWatchOptions) {
    this.#options = options
  }

  /** Never throws: what cannot be found out is left out. */
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

async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

function isNearlyFull({ free, total }: DiskSpace): boolean {
  return free < LEAST_FREE || free < Math.min(NEARLY_FULL * total, ENOUGH_FREE)
}
