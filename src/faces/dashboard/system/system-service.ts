import type { DatabaseSize } from '../db/engine.ts'
import type { ClockWarning } from '../ops/clock-watch.ts'
import type { BackupOutcome, BackupPlan, MadeBackup } from '../ops/scheduled-backups.ts'

/** What the page for operators knows of the instance, and does with it. Instants in milliseconds, sizes in bytes. */
export interface SystemService {
  look(): Promise<SystemState>
  /** Begins a backup beside everything else. @returns false while one is under way, or without a folder for backups */
  backUp(): boolean
  /** @returns undefined where there is no such backup */
  openBackup(name: string): Promise<OpenBackup | undefined>
  /** Begins to look for damage beside everything else. @returns false while it does */
  check(): boolean
}

export interface SystemState {
  /** The program, and what it runs on: `1.2.3`, `v20.19.1`, `SQLite 3.50.4`. */
  version: string
  node: string
  engine: string
  startedAt: number
  database: DatabaseSize
  disk: { free: number; total: number }
  /** Undefined without TLS. */
  certificateEnds: number | undefined
  clock: readonly ClockWarning[]
  /** Undefined without a folder for them. */
  backups: BackupState | undefined
  check: CheckState
}

export interface BackupState {
  plan: BackupPlan
  /** Undefined where the folder cannot be read. */
  made: readonly MadeBackup[] | undefined
  underWay: { since: number; copied: number } | undefined
  last: BackupOutcome | undefined
}

export interface CheckState {
  /** Since when one is under way. */
  since: number | undefined
  last: CheckOutcome | undefined
}

/** What the last check has found: a sentence for each fault, or why it could not be made. */
export type CheckOutcome =
  | { at: number; took: number; faults: readonly string[] }
  | { at: number; reason: string }

export interface OpenBackup {
  size: number
  chunks: AsyncIterable<Buffer>
  close: () => Promise<void>
}
