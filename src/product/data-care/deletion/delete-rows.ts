import { wordsOf } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { removeOfEvent } from '#product/programme/files/removal.ts'
import { deleteSomeOf, type LargeTable } from './part-store.ts'
import * as store from './store.ts'

/** What goes one after the other. See `tables` for the order. */
const parts = [
  ...(['emails', 'entries', 'check_ins', 'scans', 'scan_cases', 'door_changes', 'registrations'] as const),
  ...(['payments', 'waitlist_entries', 'orders', 'files'] as const),
  ...(['slots', 'programme_sessions', 'programmes', 'programme_versions'] as const),
  ...(['proposals', 'reviews', 'reviewers', 'submissions', 'submitters'] as const),
  ...(['abstract_revisions', 'abstracts'] as const),
  ...(['announcements', 'import_lines', 'codes'] as const),
] as const satisfies readonly (LargeTable | 'registrations' | 'files')[]
type Part = (typeof parts)[number]

/** Registrations are read this many at a time. */
const READ = 10

/** How far the deletion of an event is. */
export interface Progress {
  /** How many parts have no rows left. */
  passed: number
  /** How many rows are gone, by part, with `tickets` of registrations. */
  gone: Readonly<Partial<Record<Part | 'tickets', number>>>
  /** Whether nothing of the event is left. */
  isFinished: boolean
}

export const NOTHING_YET: Progress = { passed: 0, gone: {}, isFinished: false }

/**
 * Deletes rows of an event, at least some, until an instant. What comes to a part that was passed goes at the end: that is
 * little, since nobody sees the event any more.
 *
 * @param until milliseconds, as of `performance.now()`
 */
export async function deleteSomeRows(
  tx: WriteTx,
  eventId: string,
  progress: Progress,
  until: number,
): Promise<Progress> {
  let { passed } = progress
  const gone = { ...progress.gone }
  do {
    const part = parts[passed]
    if (part === undefined) {
      await deleteAllRows(tx, eventId)
      return { passed, gone, isFinished: true }
    }
    if (!(await deletePart(tx, part, eventId, gone, until))) passed++
  } while (performance.now() < until)
  return { passed, gone, isFinished: false }
}

/** Deletes an event with everything that is left of it, in one go. */
export async function deleteAllRows(tx: WriteTx, eventId: string): Promise<void> {
  for (const part of parts) while (await deletePart(tx, part, eventId, {}, Number.POSITIVE_INFINITY));
  await store.deleteRows(tx, eventId)
}

type Gone = { -readonly [Name in keyof Progress['gone']]: number }

/** Deletes some rows of a part, and counts them. @returns whether there were any */
async function deletePart(
  tx: WriteTx,
  part: Part,
  eventId: string,
  gone: Gone,
  until: number,
): Promise<boolean> {
  if (part === 'registrations') return deleteRegistrations(tx, eventId, gone, until)
  if (part === 'files') return deleteFiles(tx, eventId, gone)
  const count = await deleteSomeOf(tx, part, eventId)
  if (count > 0) gone[part] = (gone[part] ?? 0) + count
  return count > 0
}

/** Deletes pieces of files, and counts the files. */
async function deleteFiles(tx: WriteTx, eventId: string, gone: Gone): Promise<boolean> {
  const { files, pieces } = await removeOfEvent(tx, eventId)
  if (files > 0) gone.files = (gone.files ?? 0) + files
  return files + pieces > 0
}

/** Deletes registrations, each with its tickets and its words, so that none is ever left in part. */
async function deleteRegistrations(
  tx: WriteTx,
  eventId: string,
  gone: Gone,
  until: number,
): Promise<boolean> {
  const rows = await store.listRegistrations(tx, eventId, READ)
  const holders = new Map<string, store.HolderRow[]>(rows.map(({ id }) => [id, []]))
  for (const row of await store.listHolders(tx, [...holders.keys()]))
    holders.get(row.registration_id)?.push(row)
  for (const [at, row] of rows.entries()) {
    if (at > 0 && performance.now() >= until) break
    await store.deleteWords(tx, row, wordsOf([row, ...(holders.get(row.id) ?? [])]))
    gone.tickets = (gone.tickets ?? 0) + (await store.deleteRegistration(tx, row.id))
    gone.registrations = (gone.registrations ?? 0) + 1
  }
  return rows.length > 0
}
