import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import { version } from '#base/version.ts'
import type {
  HealthState,
  OpenBackup,
  SystemService,
  SystemState,
} from '#faces/dashboard/system/system-service.ts'
import type { OpenedDatabase } from '#machinery/db/engine.ts'
import type { DatabasePlace } from '#machinery/db/open.ts'
import type { ClockWatch } from '#machinery/ops/clock-watch.ts'
import type { Finding } from '#machinery/ops/doctor/finding.ts'
import { readDiskSpace } from '#machinery/ops/instance-needs.ts'
import type { ScheduledBackups } from '#machinery/ops/scheduled-backups.ts'
import { DatabaseCheck } from './database-check.ts'

/** The bytes that a download of a backup reads at once. */
const CHUNK = 64 * 1024

export interface SystemParts {
  place: DatabasePlace
  clock: Clock
  log: Logger
  database: Pick<OpenedDatabase, 'size' | 'engine'>
  clockWatch: Pick<ClockWatch, 'warnings'>
  certificateEnds: () => number | undefined
  backups: ScheduledBackups | undefined
  /** Looks at what goes wrong in real life. */
  examine: () => Promise<Finding[]>
}

/** The state of the instance, for the page of its operators. */
export class System implements SystemService {
  readonly #parts: SystemParts
  readonly #check: DatabaseCheck
  #health: HealthState = { since: undefined, last: undefined }
  readonly #program: Pick<SystemState, 'version' | 'node' | 'engine' | 'startedAt'>

  constructor(parts: SystemParts) {
    this.#parts = parts
    this.#check = new DatabaseCheck(parts)
    this.#program = {
      version,
      node: process.version,
      engine: parts.database.engine,
      startedAt: parts.clock(),
    }
  }

  async look(): Promise<SystemState> {
    const { place, log, database, clockWatch, certificateEnds, backups } = this.#parts
    return {
      ...this.#program,
      database: await database.size(),
      disk: await readDiskSpace(place.data),
      certificateEnds: certificateEnds(),
      clock: clockWatch.warnings(),
      backups: backups && {
        plan: backups.plan(),
        made: await backups.list().catch(error => {
          log.warn({ err: error }, 'the folder of the backups cannot be read')
          return undefined
        }),
        underWay: backups.underWay(),
        last: backups.last,
      },
      check: this.#check.state,
      health: this.#health,
    }
  }

  backUp(isToPassOn: boolean): boolean {
    const { backups } = this.#parts
    if (backups === undefined || backups.underWay() !== undefined) return false
    void backups.run(isToPassOn ? 'pass_on' : 'hand')
    return true
  }

  async openBackup(name: string): Promise<OpenBackup | undefined> {
    const file = await this.#parts.backups?.open(name)
    if (file === undefined) return undefined
    const { size } = await file.stat()
    const chunks = file.createReadStream({ highWaterMark: CHUNK })
    return { size, chunks, close: () => file.close() }
  }

  check(): boolean {
    return this.#check.run()
  }

  examine(): boolean {
    if (this.#health.since !== undefined) return false
    const { clock, log, examine } = this.#parts
    this.#health = { ...this.#health, since: clock() }
    void examine()
      .catch(error => {
        log.error({ err: error }, 'the instance could not be examined')
        return undefined
      })
      .then(findings => {
        this.#health = { since: undefined, last: { at: clock(), findings } }
      })
    return true
  }

  /** Ends the check that is under way. */
  stop(): void {
    this.#check.stop()
  }
}
