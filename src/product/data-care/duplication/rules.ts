import type { WriteTx } from '#machinery/db/port.ts'
import { copyOwn } from '#machinery/mail/own-texts.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import {
  type Copy,
  duplicateEvent as duplicateWithTypes,
} from '#product/catalog/registration-types/duplicate.ts'
import * as questions from '#product/guests/questions/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'

/**
 * Makes a draft with what an event sells and asks, but without its registrations. The draft has the event's types and shared
 * capacity, its questions except the retired ones, its codes, unused, its texts of mails, its call for
 * abstracts, how these are reviewed, and the rooms of its programme. Both always have dates: if those of the copy stay open, they keep their own.
 *
 * @throws Problem those of `duplicateEvent` of the types
 */
export async function duplicateEvent(tx: WriteTx, id: string, copy: Copy): Promise<EventDetails> {
  const { event, typeOf, shift } = await duplicateWithTypes(tx, id, copy)
  await questions.copy(tx, id, event.id, typeOf)
  await codes.copy(tx, id, event.id, { typeOf, shift })
  await calls.copy(tx, id, event.id, instant => shift(instant) ?? instant)
  await rounds.copy(tx, id, event.id, instant => shift(instant) ?? instant)
  await rooms.copy(tx, id, event.id)
  await copyOwn(tx, id, event.id)
  return event
}
