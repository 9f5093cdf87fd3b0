import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { closedObject, email, instant, integer, label, name, text, yesOrNo } from '#base/fields.ts'
import {
  MAX_ABOUT,
  MAX_CHAIRS,
  MAX_ROOMS,
  MAX_SESSIONS,
  MAX_SLOT_MINUTES,
  MAX_SLOTS,
} from '#product/programme/timetable/schemas.ts'
import { MOST_VERDICTS, NUMBER } from '#product/programme/versions/schemas.ts'
import { MAX_ACTOR, MAX_CODE } from './abstract-items.ts'
import { listUpTo } from './array-of.ts'

/** The programme of an event in an organization file: rooms, sessions with their slots, and what was published of them. */

/** The most versions of a programme. */
const MAX_VERSIONS = 5_000
/** The most abstracts that a version gives numbers to. */
const MAX_NUMBERS = 10_000
/** The highest number by which a version refers to a room, a session or a slot. */
const MAX_PLACE = 10_000_000

const maybeInstant = v.nullish(instant, null)
const place = integer(1, MAX_PLACE)
const code = label(MAX_CODE)

/** Either an abstract, by its code, or a text such as a welcome. */
const slot = closedObject({
  minutes: integer(0, MAX_SLOT_MINUTES),
  abstract: v.nullish(code, null),
  title: v.nullish(name(200), null),
})

const session = closedObject({
  title: name(200),
  /** The name of a room. */
  room: v.nullish(name(100), null),
  starts_at: instant,
  ends_at: instant,
  about: v.nullish(text(MAX_ABOUT), null),
  chairs: v.optional(
    listUpTo(closedObject({ name: name(), email: v.nullish(email, null) }), MAX_CHAIRS),
    () => [],
  ),
  slots: v.optional(listUpTo(slot, MAX_SLOTS), () => []),
})

/**
 * A version as it was published. Its rooms, sessions and slots are counted from 1, in the order in which the programme has them: the
 * slots through all sessions. Higher numbers stand for what was taken out since, of which nothing else is known.
 */
const version = closedObject({
  created_at: instant,
  published_by: label(MAX_ACTOR),
  sessions: listUpTo(
    closedObject({
      session: place,
      room: v.nullish(place, null),
      starts_at: instant,
      ends_at: instant,
      slots: listUpTo(
        closedObject({
          slot: place,
          starts_at: instant,
          ends_at: instant,
          abstract: v.nullish(code, null),
        }),
        MAX_SLOTS,
      ),
    }),
    MAX_SESSIONS,
  ),
  /** The numbers that its abstracts have, also those of earlier versions. */
  numbers: listUpTo(
    closedObject({
      abstract: code,
      number: v.pipe(v.string(says('string')), v.regex(NUMBER, says('placeNumber', { example: 'O-12' }))),
    }),
    MAX_NUMBERS,
  ),
})

const fingerprint = v.pipe(v.string(says('string')), v.regex(/^[\w-]{22}$/, says('string')))

export const timetableSchema = closedObject({
  texts_from: maybeInstant,
  /** Which of the versions is public, from 1. */
  published: v.nullish(integer(1, MAX_VERSIONS), null),
  /** What chairs have said of authors who may be one person. */
  people: v.optional(
    listUpTo(closedObject({ one: fingerprint, other: fingerprint, same: yesOrNo }), MOST_VERDICTS),
    () => [],
  ),
  rooms: v.optional(listUpTo(name(100), MAX_ROOMS), () => []),
  sessions: v.optional(listUpTo(session, MAX_SESSIONS), () => []),
  versions: v.optional(listUpTo(version, MAX_VERSIONS), () => []),
})
export type OrganizationProgramme = v.InferOutput<typeof timetableSchema>
export type OrganizationVersion = v.InferOutput<typeof version>
