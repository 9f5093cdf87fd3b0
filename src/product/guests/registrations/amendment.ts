import * as fields from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { wordsOf } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { answerKeysOf, refuseLongAnswers, registerAnswerKeys } from './answer-keys.ts'
import { type Details, getDetails } from './details.ts'
import { type Amendment, parseAnswers } from './schemas.ts'
import * as store from './store.ts'
import { replaceWords } from './word-store.ts'

/** Holds an amended registration, and the names of the fields whose values have changed. */
export interface Amended {
  registration: Details
  changed: string[]
}

/**
 * Changes what people have said about themselves, and the organizer's note. It changes only the given fields, and only the
 * answers whose keys are given. Null removes a value. Money, places and ticket codes stay. The words of the search follow in the
 * same transaction. It emits no webhook event, because there is no type for it.
 *
 * @throws Problem not_found, with the field where it is a ticket; registration_erased; invalid_parameter for `answers` of too
 *   many keys
 */
export async function amend(tx: WriteTx, id: string, changes: Amendment): Promise<Amended> {
  const was = await getDetails(tx, id)
  if (was.erased_at !== null) throw new Problem('registration_erased')
  const changed: string[] = []
  const pick = <Value>(field: string, given: Value | undefined, current: Value): Value => {
    if (given === undefined || given === current) return current
    changed.push(field)
    return given
  }
  const buyer = {
    name: pick('buyer.name', changes.buyer?.name, was.buyer.name),
    email: pick('buyer.email', changes.buyer?.email, was.buyer.email),
  }
  const language = pick('language', changes.language, was.language)
  const note = pick('note', changes.note, was.note)
  const answers = mergeAnswers(was.answers, changes.answers ?? {}, changed, 'answers')
  const tickets = mergeTickets(was.attendees, changes.attendees ?? [], pick, changed)
  if (changed.length === 0) return { registration: was, changed }

  refuseLongAnswers({ attendees: tickets })
  await registerAnswerKeys(tx, was.event_id, answerKeysOf({ answers, attendees: tickets }))
  const now = await tx.now()
  const row = {
    buyer_name: buyer.name,
    buyer_email: buyer.email,
    buyer_email_key: fields.emailKey(buyer.email),
    answers: JSON.stringify(answers),
    language,
    note,
  }
  await store.amend(tx, id, row, now)
  await attendees.noteRegistrationAtDoors(tx, id)
  const amended = tickets.filter((ticket, at) => ticket !== was.attendees[at])
  for (const ticket of amended) await attendees.amend(tx, ticket)
  const moved = tickets.filter(
    ({ email }, at) => addressOf(email, buyer) !== addressOf(was.attendees[at]?.email ?? null, was.buyer),
  )
  await attendees.forgetMailed(
    tx,
    moved.map(ticket => ticket.id),
  )
  const before = wordsOf([was.buyer, ...was.attendees])
  await replaceWords(tx, id, before, wordsOf([buyer, ...tickets]), now)
  return { registration: await getDetails(tx, id), changed }
}

/** Returns the address that a ticket is for, in the form in which e-mails are compared. */
function addressOf(email: string | null, buyer: { email: string }): string {
  return fields.emailKey(email ?? buyer.email)
}

/**
 * Returns the entry of an amendment in the access log, for `recordedWrite`. The entry names the fields but not their contents.
 */
export function amendmentEntry(id: string): WriteEntry<Amended> {
  return {
    action: 'registration.amend',
    targetType: 'registration',
    targetId: id,
    details: (_, amended) => ({ fields: amended?.changed }),
    hasChanged: ({ changed }) => changed.length > 0,
  }
}

type Answers = Readonly<Record<string, string>>

/**
 * Merges given answers into those that exist.
 *
 * @throws Problem invalid_parameter if the result has too many
 */
function mergeAnswers(
  was: Answers,
  given: NonNullable<Amendment['answers']>,
  changed: string[],
  param: string,
): Record<string, string> {
  const merged = new Map(Object.entries(was))
  for (const [key, answer] of Object.entries(given)) {
    if (merged.get(key) === (answer ?? undefined)) continue
    changed.push(`${param}.${key}`)
    if (answer === null) merged.delete(key)
    else merged.set(key, answer)
  }
  return parseAnswers(Object.fromEntries(merged), param)
}

type Pick = <Value>(field: string, given: Value | undefined, current: Value) => Value
type Tickets = Details['attendees']

/**
 * Merges given changes into the tickets. A ticket that does not change remains the same object.
 *
 * @throws Problem not_found for a ticket of another registration
 */
function mergeTickets(
  was: Tickets,
  given: NonNullable<Amendment['attendees']>,
  pick: Pick,
  changed: string[],
): Tickets {
  const changes = new Map(given.map((change, at) => [change.id, { ...change, at }]))
  const tickets = was.map((ticket, position) => {
    const change = changes.get(ticket.id)
    changes.delete(ticket.id)
    if (change === undefined) return ticket
    const name = pick(`attendees.${position}.name`, change.name, ticket.name)
    const email = pick(`attendees.${position}.email`, change.email, ticket.email)
    const seat = pick(`attendees.${position}.seat`, change.seat, ticket.seat)
    const before = changed.length
    const answers = mergeAnswers(
      ticket.answers,
      change.answers ?? {},
      changed,
      `attendees.${position}.answers`,
    )
    const isSame = name === ticket.name && email === ticket.email && seat === ticket.seat
    return isSame && changed.length === before ? ticket : { ...ticket, name, email, seat, answers }
  })
  const [stray] = changes.values()
  if (stray !== undefined) throw new Problem('not_found', { param: `attendees.${stray.at}.id` })
  return tickets
}
