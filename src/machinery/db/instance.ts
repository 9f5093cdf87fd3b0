import { randomBytes } from 'node:crypto'
import { DAY } from '../time.ts'
import type { ReadTx, WriteTx } from './port.ts'

/** How far the clock may be behind the newest write before it is a fault, in milliseconds: less is mended by time alone. */
export const FAR_BEHIND = DAY

/** What belongs to the whole database. */
export interface Instance {
  /** Signs the cursors of lists. */
  cursor_secret: string
  /** The instant of the latest write, in milliseconds. */
  latest_write_at: number
}

export async function readInstance(tx: ReadTx): Promise<Instance> {
  const row = await tx.one<Instance>('SELECT cursor_secret, latest_write_at FROM instance')
  if (row === undefined) throw new Error('The database lacks its instance row.')
  return row
}

/**
 * Since when nothing leaves this server, in milliseconds, as its database may be a copy of another that does the same; null where
 * it is none.
 */
export async function findHold(tx: ReadTx): Promise<number | null> {
  const row = await tx.one<{ held_at: number | null }>('SELECT held_at FROM instance')
  return row?.held_at ?? null
}

/** @param at milliseconds of the clock; null lets go */
export function setHold(tx: WriteTx, at: number | null): Promise<number> {
  return tx.run('UPDATE instance SET held_at = $1', [at])
}

export async function findRunMark(tx: ReadTx): Promise<string | null> {
  const row = await tx.one<{ run_mark: string | null }>('SELECT run_mark FROM instance')
  return row?.run_mark ?? null
}

/** More commits than a loss of power can take back: they are on the disk within milliseconds. */
const LOST = 1_000

/** No number is given again that a scanner may know of a commit which was seen before it was on the disk, and then was lost. */
export function setRunMark(tx: WriteTx, mark: string): Promise<number> {
  return tx.run('UPDATE instance SET run_mark = $1, write_number = write_number + $2', [mark, LOST])
}

/** How far the database has come. */
export interface Progress {
  /** Another in a copy, and in an older database that takes its place: numbers of writes hold in one alone. */
  epoch: string
  /** Since when, in milliseconds; null in a database that is no copy of another. */
  epoch_at: number | null
  /** Of the newest commit that took its instant: what a later one changes has a higher one. */
  write_number: number
  /** The instant of that commit, in milliseconds. */
  latest_write_at: number
}

/** Up to where a snapshot shows all. */
export async function readProgress(tx: ReadTx): Promise<Progress> {
  const row = await tx.one<Progress>('SELECT epoch, epoch_at, write_number, latest_write_at FROM instance')
  if (row === undefined) throw new Error('The database lacks its instance row.')
  return row
}

/** @param at milliseconds: since when the database is a copy or an older one; null where it is none */
export function renewEpoch(tx: WriteTx, at: number | null): Promise<number> {
  return tx.run('UPDATE instance SET epoch = $1, epoch_at = $2', [randomBytes(16).toString('hex'), at])
}
