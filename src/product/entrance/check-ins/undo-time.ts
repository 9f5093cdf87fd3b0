/*
 * This module says how long a device may take back an admission. The server and the page of a scanner both run it. It imports
 * nothing.
 */

/** A device may take a scan back for this many milliseconds from the scan on. */
export const UNDO_TIME = 10 * 60_000

/** Describes a scan that a device takes back. All instants are milliseconds, and those of the device are corrected. */
export interface Retraction {
  scannedAt: number
  undoneAt: number
  /** How long the server has had the scan. It is 0 if the scan arrives with its undo or after it. */
  storedFor: number
}

/**
 * Returns whether a device may still take a scan back. The device's own instants count, because both may arrive late from a phone
 * without a network. But once the server has had a scan for that long, only people can take it back, whatever instant a stolen
 * phone makes up.
 */
export function isUndoInTime({ scannedAt, undoneAt, storedFor }: Retraction): boolean {
  return undoneAt - scannedAt < UNDO_TIME && storedFor < UNDO_TIME
}
