import type { DatabaseSize } from '#machinery/db/engine.ts'
import type { ClockWarning } from '#machinery/ops/clock-watch.ts'
import type { Finding } from '#machinery/ops/doctor/finding.ts'
import type { BackupOutcome, BackupPlan, MadeBackup } from '#machinery/ops/scheduled-backups.ts'

/** What the page for operators reads from the instance and does with it. Instants are in Unix milliseconds, sizes in bytes. */
export interface SystemService {
  look(): Promise<SystemState>
  /**
   * Begins a backup in the background.
   *
   * @param isToPassOn leaves out the secrets
   * @returns false if one is under way, or if there is no folder for backups
   */
  backUp(isToPassOn: boolean): boolean
  /** @returns undefined if there is no such backup */
  openBackup(name: string): Promise<OpenBackup | undefined>
  /** Begins to check the database for damage in the background. @returns false if a check is under way */
  check(): boolean
  /** Begins to look at what goes wrong in real life, in the background. @returns false if that is under way */
  examine(): boolean
}

export interface SystemState {
  /** The versions of the program and of what it runs on, such as `1.2.3`, `v20.19.1` and `SQLite 3.50.4`. */
  version: string
  node: string
  engine: string
  startedAt: number
  database: DatabaseSize
  disk: { free: number; total: number }
  /** It is undefined without TLS. */
  certificateEnds: number | undefined
  clock: readonly ClockWarning[]
  /** It is undefined without a folder for backups. */
  backups: BackupState | undefined
  check: CheckState
  health: HealthState
}

export interface BackupState {
  plan: BackupPlan
  /** It is undefined if the folder cannot be read. */
  made: readonly MadeBackup[] | undefined
  underWay: { since: number; copied: number } | undefined
  last: BackupOutcome | undefined
}

export interface CheckState {
  /** When the check under way began. It is undefined if none runs. */
  since: number | undefined
  last: CheckOutcome | undefined
}

/** The last look at what goes wrong in real life. Without findings it could not be finished. */
export interface HealthState {
  since: number | undefined
  last: { at: number; findings: readonly Finding[] | undefined } | undefined
}

/** What the last check has found: a sentence for each fault, or the reason why it failed. */
export type CheckOutcome =
  | { at: number; took: number; faults: readonly string[] }
  | { at: number; reason: string }

export interface OpenBackup {
  size: number
  chunks: AsyncIterable<Buffer>
  close: () => Promise<void>
}
