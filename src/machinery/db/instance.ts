import { randomBytes } from 'node:crypto'
import { DAY } from '#base/time.ts'
import type { AnyReadTx, AnyWriteTx } from './port.ts'

/**
 * How far the clock may be behind the newest write before that is a fault, in milliseconds. Time alone mends a shorter distance.
 */
export const FAR_BEHIND = DAY

/** The state that belongs to the whole database. */
export interface Instance {
  /** The key that signs the cursors of lists. */
  cursor_secret: string
  /** The instant of the latest write, in milliseconds. */
  latest_write_at: number
}

export async function readInstance(tx: AnyReadTx): Promise<Instance> {
  const row = await tx.one<Instance>('SELECT cursor_secret, latest_write_at FROM instance')
  if (row === undefined) throw new Error('The database lacks its instance row.')
  return row
}

/** Returns whether the database is a copy that was made without secrets and has none yet. */
export async function lacksSecret(tx: AnyReadTx): Promise<boolean> {
  const row = await tx.one<{ lacks: number }>(
    "SELECT CASE WHEN cursor_secret = '' THEN 1 ELSE 0 END AS lacks FROM instance",
  )
  return row?.lacks === 1
}

/** Makes a new secret for links, cookies and cursors. Those made before become invalid. */
export function renewSecret(tx: AnyWriteTx): Promise<number> {
  return tx.run('UPDATE instance SET cursor_secret = $1', [randomBytes(32).toString('base64url')])
}

/**
 * Returns since when nothing leaves this server, in milliseconds. Its database may be a copy of another one whose server sends
 * the same. Returns null if nothing is held.
 */
export async function findHold(tx: AnyReadTx): Promise<number | null> {
  const row = await tx.one<{ held_at: number | null }>('SELECT held_at FROM instance')
  return row?.held_at ?? null
}

/** Holds what would leave the server, or lets it go. @param at milliseconds of the clock, or null to let go */
export function setHold(tx: AnyWriteTx, at: number | null): Promise<number> {
  return tx.run('UPDATE instance SET held_at = $1', [at])
}

export async function findRunMark(tx: AnyReadTx): Promise<string | null> {
  const row = await tx.one<{ run_mark: string | null }>('SELECT run_mark FROM instance')
  return row?.run_mark ?? null
}

/** More commits than a loss of power can take back. Commits are on the disk within milliseconds. */
const LOST = 1_000

/**
 * Writes the run mark and skips numbers. A scanner may have seen a commit that was later lost, and its number must never return.
 */
export function setRunMark(tx: AnyWriteTx, mark: string): Promise<number> {
  return tx.run('UPDATE instance SET run_mark = $1, write_number = write_number + $2', [mark, LOST])
}

/** How far the database has come. */
export interface Progress {
  /**
   * The epoch differs in a copy, and in an older database that takes the place of this one. Write numbers hold within one epoch
   * only.
   */
  epoch: string
  /** Since when the epoch holds, in milliseconds. It is null in a database that is not a copy of another. */
  epoch_at: number | null
  /** The number of the newest commit that took its instant. Whatever a later commit changes has a higher number. */
  write_number: number
  /** The instant of that commit, in milliseconds. */
  latest_write_at: number
}

/** Returns how far a snapshot shows everything. */
export async function readProgress(tx: AnyReadTx): Promise<Progress> {
  const row = await tx.one<Progress>('SELECT epoch, epoch_at, write_number, latest_write_at FROM instance')
  if (row === undefined) throw new Error('The database lacks its instance row.')
  return row
}

/** Begins a new epoch. @param at milliseconds since when the database is a copy or an older one, or null if it is neither */
export function renewEpoch(tx: AnyWriteTx, at: number | null): Promise<number> {
  return tx.run('UPDATE instance SET epoch = $1, epoch_at = $2', [randomBytes(16).toString('hex'), at])
}
