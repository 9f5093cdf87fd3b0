import type { WriteEntry } from '../access-log/recorded-write.ts'
import * as attendees from '../attendees/rules.ts'
import type { WriteTx } from '../db/port.ts'
import * as fields from '../fields.ts'
import { Problem } from '../problem.ts'
import { wordsOf } from '../words.ts'
import { answerKeysOf, refuseLongAnswers, registerAnswerKeys } from './answer-keys.ts'
import { type Details, getDetails } from './details.ts'
import { type Amendment, parseAnswers } from './schemas.ts'
import * as store from './store.ts'
import { replaceWords } from './word-store.ts'

/** An amended registration, and the names of the fields that have another value than before. */
export interface Amended {
  registration: Details
  changed: string[]
}

/**
 * Changes what people have said of themselves, and the organizer's note: only what is given, and of the answers only those
 * whose keys are given; null takes one away. Money, places and the codes of tickets stay. The words of the search follow in the
 * same transaction. Emits no webhook event: there is no type for it.
 *
 * @throws Problem not_found, with the field where it is a ticket; registration_erased; invalid_parameter for `answers` of too
 *   many keys
 */
export async function amend(
  tx: WriteTx,
  accountId: string,
  id: string,
  changes: Amendment,
): Promise<Amended> {
  const was = await getDetails(tx, accountId, id)
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
  await registerAnswerKeys(tx, accountId, was.event_id, answerKeysOf({ answers, attendees: tickets }))
  const now = await tx.now()
  const row = {
    buyer_name: buyer.name,
    buyer_email: buyer.email,
    buyer_email_key: fields.emailKey(buyer.email),
    answers: JSON.stringify(answers),
    language,
    note,
  }
  await store.amend(tx, accountId, id, row, now)
  await attendees.noteRegistrationAtDoors(tx, accountId, id)
  const amended = tickets.filter((ticket, at) => ticket !== was.attendees[at])
  for (const ticket of amended) await attendees.amend(tx, accountId, ticket)
  const before = wordsOf([was.buyer, ...was.attendees])
  await replaceWords(tx, accountId, id, before, wordsOf([buyer, ...tickets]), now)
  return { registration: await getDetails(tx, accountId, id), changed }
}

/** The entry of an amendment in the access log, for `recordedWrite`: which fields, and nothing of what is in them. */
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

/** @throws Problem invalid_parameter when there are too many then */
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

/** A ticket that stays as it is remains the same object. @throws Problem not_found for one of another registration */
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
