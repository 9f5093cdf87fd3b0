import type { WriteTx } from '#machinery/db/port.ts'

/** The types of each event whose places a write has released and that are to be offered. */
export interface Releases {
  readonly types: Map<string, Set<string>>
}

/** Holds the releases of each write for as long as it runs. */
const ofWrites = new WeakMap<WriteTx, Releases>()

/** Starts to note what a write releases. The caller must offer these places before the write ends. */
export function collectReleases(tx: WriteTx): Releases {
  const releases = { types: new Map() }
  ofWrites.set(tx, releases)
  return releases
}

/** Notes that people on the waitlist of these types are to be offered places. */
export function noteRelease(tx: WriteTx, eventId: string, typeIds: readonly string[]): void {
  const releases = ofWrites.get(tx)
  // This is a programming error, because nobody would get the places.
  if (releases === undefined) throw new Error('Nobody offers what this write gives back to those who wait.')
  releases.types.set(eventId, new Set([...(releases.types.get(eventId) ?? []), ...typeIds]))
}
