import { newUuid } from '#base/ids.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as cases from './scan-case-store.ts'
import * as store from './scan-store.ts'
import { findTicket } from './store.ts'

/*
 * Every change to a scan goes through here, so that the cases show what is open. Each scan that is held, or is a conflict that
 * nobody has set aside, belongs to the one case of its ticket and door.
 */

/** Keeps a new scan. */
export async function keep(tx: WriteTx, row: Parameters<typeof store.insert>[1]): Promise<void> {
  await store.insert(tx, row, await tx.now())
  await file(tx, { ...row, seen_at: null, case_id: null })
}

/** Gives a scan another outcome, or notes what the guest saw. */
export async function setFate(tx: WriteTx, scanId: string, fate: store.Fate): Promise<void> {
  const row = await store.setFate(tx, scanId, fate, await tx.now())
  if (row !== undefined) await file(tx, row)
}

/** Marks a scan as no longer standing, whatever the guest saw. */
export async function markUndone(tx: WriteTx, scanId: string): Promise<void> {
  const row = await store.markUndone(tx, scanId, await tx.now())
  if (row !== undefined) await file(tx, row)
}

/**
 * Sets a conflict aside.
 *
 * @returns whether it was a conflict that nobody had set aside before
 */
export async function setSeen(tx: WriteTx, scanId: string): Promise<boolean> {
  const row = await store.setSeen(tx, scanId, tx.clock(), await tx.now())
  if (row !== undefined) await file(tx, row)
  return row !== undefined
}

/** Moves a scan into the case where it belongs, and out of the one where it was. */
async function file(tx: WriteTx, row: store.Filed): Promise<void> {
  const { id, case_id: before, outcome, seen_at } = row
  const isOpen = (outcome === 'held' || outcome === 'conflict') && seen_at === null
  if (!isOpen && before === null) return
  const now = await tx.now()
  if (before !== null) {
    const existing = await cases.find(tx, before)
    if (isOpen && existing?.outcome === outcome) return
    await cases.removeScan(tx, before, now)
  }
  const key = isOpen ? await keyOf(tx, row, outcome) : undefined
  const after = key && (await cases.addScan(tx, key, newUuid(), now))
  await store.setCase(tx, id, after ?? null)
}

/**
 * Returns the key of a scan's case. Scans of no ticket of the event share one case for each door, so that somebody who forges ids
 * cannot fill a list with them.
 */
async function keyOf(tx: WriteTx, row: store.Filed, outcome: 'held' | 'conflict'): Promise<cases.CaseKey> {
  const { event_id, device_id, door, attendee_id, of_id } = row
  const undone = of_id === null ? undefined : await store.find(tx, of_id)
  const ticketId = attendee_id ?? undone?.attendee_id
  const ticket = ticketId == null ? undefined : await findTicket(tx, ticketId)
  const ticket_id = ticket?.event_id === event_id ? ticket.attendee_id : ''
  return { event_id, outcome, device_id: device_id ?? '', door, ticket_id }
}
