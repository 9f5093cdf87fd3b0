import { Problem } from '#base/problem.ts'
import { MINUTE, toIso } from '#base/time.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'
import * as afterStore from './after-store.ts'
import type { Abstract } from './schemas.ts'
import * as store from './store.ts'

/** What is kept of an abstract after its decision, beside its terms. */
export interface After {
  /** So many days before the end of the time to confirm its authors were reminded last. */
  confirm_reminded: number | null
  /** Days on which nobody can present it, as `YYYY-MM-DD`. */
  unavailable: readonly string[]
}

/** @throws Problem not_found */
export async function getAfter(tx: ReadTx, id: string): Promise<After> {
  const row = await afterStore.findAfter(tx, id)
  if (row === undefined) throw new Problem('not_found')
  const { confirm_reminded, unavailable } = row
  return { confirm_reminded, unavailable: unavailable === null ? [] : (JSON.parse(unavailable) as string[]) }
}

/** Notes that the authors of an abstract have confirmed that they come, or that they have not. */
export async function setConfirmed(tx: WriteTx, id: string, isConfirmed: boolean): Promise<void> {
  const now = await tx.now()
  await store.setConfirmed(tx, id, isConfirmed ? now : null, now)
}

/** @param days as `YYYY-MM-DD` */
export async function setUnavailable(tx: WriteTx, id: string, days: readonly string[]): Promise<void> {
  await store.setUnavailable(tx, id, days.length === 0 ? null : JSON.stringify(days), await tx.now())
}

/** Notes that its authors were reminded so many days before the end of the time to confirm. */
export async function markConfirmReminded(tx: WriteTx, id: string, days: number): Promise<void> {
  await store.setConfirmReminded(tx, id, days, await tx.now())
}

/** An abstract whose authors are asked to confirm that they come, and have not. */
export interface Unconfirmed {
  id: string
  confirm_by: string
  position: Position
}

/** Lists those of an event after `last`, the oldest first. */
export async function listUnconfirmed(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  limit: number,
): Promise<Unconfirmed[]> {
  const rows = await afterStore.listUnconfirmed(tx, eventId, last, limit)
  return rows.map(({ id, created_at, confirm_by }) => ({
    ...{ id, confirm_by: toIso(confirm_by) },
    position: { id, created_at },
  }))
}

/** Such an abstract, with what its reminders depend on. Instants are in milliseconds. */
export type ToRemind = afterStore.ToRemindRow

/** Lists those of all accounts whose time to confirm is soon over, in the order of its ends. @param last the one before, if any */
export function listToRemind(
  tx: InstanceReadTx,
  last: Pick<ToRemind, 'confirm_by' | 'id'> | undefined,
  { now, until }: { now: number; until: number },
  limit: number,
): Promise<ToRemind[]> {
  return afterStore.listToRemind(tx, last ?? { confirm_by: now - MINUTE, id: '' }, until, limit)
}

/** Whom to write to about an abstract. */
export interface Addressee extends Pick<Abstract['contact'], 'name' | 'email'> {
  /** Undefined for one that nobody has submitted here. */
  language: Language | undefined
  position: Position
}

/** Lists whom to write to about the abstracts of an event that stand, the oldest first. */
export async function listAddressees(
  tx: ReadTx,
  eventId: string,
  of: 'submitted' | 'accepted' | 'rejected' | 'unconfirmed',
  { limit, after }: Page,
): Promise<Addressee[]> {
  const rows = await afterStore.listStanding(tx, eventId, of, after, limit)
  return rows.map(({ id, created_at, contact, language }) => {
    const { name, email } = JSON.parse(contact) as Abstract['contact']
    return { name, email, language: language ?? undefined, position: { id, created_at } }
  })
}
