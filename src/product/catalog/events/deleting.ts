import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as readStore from './deleting-store.ts'
import * as store from './store.ts'

/*
 * A large event is deleted in many short writes. From the first of them on, nobody sees anything of it: not the event, its pages,
 * links and doors, nor its registrations, check-ins and abstracts among those of its account. Nothing new comes to it either.
 * Whoever asks is told what they are told of an event that never was.
 */

/**
 * Marks an event as being deleted. Its link name is free at once.
 *
 * @throws Problem not_found
 */
export async function markDeleting(tx: WriteTx, id: string): Promise<void> {
  const changed = await store.markDeleting(tx, id, `deleting-${id}`, await tx.now())
  if (changed === 0) throw new Problem('not_found')
}

/** Lists the ids of the events that are being deleted. Few accounts ever have one. */
export async function listDeleting(tx: ReadTx): Promise<string[]> {
  return (await readStore.listDeleting(tx)).map(({ id }) => id)
}

/** Lists those that were marked before an instant, in milliseconds. */
export async function listMarkedBefore(tx: ReadTx, before: number): Promise<string[]> {
  return (await readStore.listDeleting(tx)).filter(row => row.deleting_at < before).map(({ id }) => id)
}

/** Returns whether an event is being deleted. */
export function isDeleting(tx: ReadTx, id: string): Promise<boolean> {
  return readStore.isDeleting(tx, id)
}
