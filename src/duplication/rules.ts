import * as codes from '../codes/rules.ts'
import type { WriteTx } from '../db/port.ts'
import type { EventDetails } from '../events/schemas.ts'
import * as questions from '../questions/rules.ts'
import { type Copy, duplicateEvent as duplicateWithTypes } from '../registration-types/duplicate.ts'

/**
 * Makes a draft with what an event sells and asks, and none of its registrations: its types and shared capacity, its questions but
 * for those that nobody is asked any more, and its codes, unused.
 *
 * @throws Problem those of `duplicateEvent` of the types
 */
export async function duplicateEvent(
  tx: WriteTx,
  accountId: string,
  id: string,
  copy: Copy,
): Promise<EventDetails> {
  const { event, typeOf, shift } = await duplicateWithTypes(tx, accountId, id, copy)
  await questions.copy(tx, accountId, id, event.id, typeOf)
  await codes.copy(tx, accountId, id, event.id, { typeOf, shift })
  return event
}
