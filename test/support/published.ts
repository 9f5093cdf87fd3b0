import { randomUUID } from 'node:crypto'
import { HOUR, MINUTE } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { publish, readPublishing } from '#product/programme/publishing/publish.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { begin, contentOf, openCall, send } from './submissions.ts'

interface Place {
  db: Database
  accountId: string
  eventId: string
  clock: () => number
}

export const talkAndPoster = [
  { name: 'Talk', minutes: 20, poster: false },
  { name: 'Poster', minutes: null, poster: true },
]

/** Opens a call for talks and posters. */
export function openProgrammeCall(place: Place): Promise<Call> {
  return openCall(place, { per_person: 50, kinds: talkAndPoster })
}

/** Sends an abstract and accepts it, as a talk unless told otherwise. */
export async function acceptOne(
  place: Place,
  content: Parameters<typeof contentOf>[0] = {},
  email = `${randomUUID()}@writers.example`,
) {
  const { submission, submitter } = await begin(place, { email })
  const call = await place.db.read(place.accountId, tx => calls.get(tx, place.eventId))
  const kind_id = content?.kind_id ?? call.kinds[0]?.id ?? null
  const sent = await send(place, submission.id, contentOf({ ...content, kind_id }))
  await place.db.write(place.accountId, tx => abstracts.decide(tx, sent.id, { decision: 'accepted' }))
  return { ...sent, submission, submitter }
}

/** Adds a session, of two hours unless told otherwise, with abstracts and texts in it. */
export async function addSession(
  { db, accountId, eventId, clock }: Place,
  of: { title?: string; room?: string; from?: number; hours?: number; chairs?: string[] },
  content: readonly (string | { id: string; minutes?: number })[],
) {
  return db.write(accountId, async tx => {
    const { title = 'Session', room, from = clock() + 24 * HOUR, hours = 2, chairs = [] } = of
    const known = (await rooms.list(tx, eventId)).find(({ name }) => name === room)
    const held = known ?? (room === undefined ? undefined : await rooms.add(tx, eventId, { name: room }))
    const session = await sessions.add(tx, eventId, {
      ...{ title, room_id: held?.id ?? null, starts_at: from, ends_at: from + hours * HOUR, about: null },
      chairs: chairs.map(name => ({ name, email: `${name.split(' ')[0]?.toLowerCase()}@chairs.example` })),
    })
    const place = { session_id: session.id, before: null }
    const ids: string[] = []
    for (const each of content) {
      const slot =
        typeof each === 'string'
          ? { title: each, minutes: 15 }
          : { abstract_id: each.id, minutes: each.minutes ?? 20 }
      ids.push((await slots.add(tx, eventId, place, slot)).id)
    }
    return { ...session, slots: ids }
  })
}

export function publishNow({ db, accountId, eventId }: Place, by = 'cli') {
  return db.write(accountId, tx => publish(tx, eventId, { by, language: 'en' }))
}

export function readChanges({ db, accountId, eventId }: Place) {
  return db.read(accountId, tx => readPublishing(tx, eventId))
}

/** Adds many accepted abstracts in 40 sessions, in four rooms on three days, without the way there. */
export async function addMany({ db, accountId, eventId, clock }: Place, count: number): Promise<void> {
  const now = clock()
  const text = 'The rooms fill, and then they are empty again, as $x^2 + y^2$ says. '.repeat(24)
  await db.write(accountId, async tx => {
    const held: string[] = []
    for (const name of ['A', 'B', 'C', 'D'])
      held.push((await rooms.add(tx, eventId, { name: `Hall ${name}` })).id)
    const each = Math.ceil(count / 40)
    for (let at = 0; at < 40; at++) {
      const from = now + 24 * HOUR + Math.floor(at / 14) * 24 * HOUR + Math.floor((at % 14) / 4) * 2 * HOUR
      const session = await sessions.add(tx, eventId, {
        ...{ title: `Session ${at + 1}`, room_id: held[at % 4] ?? null, starts_at: from },
        ...{ ends_at: from + 110 * MINUTE, about: null, chairs: [{ name: `Chair ${at}`, email: null }] },
      })
      for (let n = at * each; n < Math.min(count, (at + 1) * each); n++) {
        const id = randomUUID()
        const people = Array.from({ length: 5 }, (_, p) => ({
          ...{
            name: `Ada${p} Lovelace${(n * 7 + p) % 1700}`,
            email: p === 0 ? `a${n}@writers.example` : null,
          },
          ...{ affiliation: `Institute ${p} of Rooms, Madrid, Spain`, presenting: p === 0, orcid: null },
          affiliations: [`Institute ${p} of Rooms, Madrid, Spain`],
        }))
        await tx.run(
          `INSERT INTO abstracts (id, account_id, event_id, code, title, abstract, keywords, authors, contact, file_name, status,
             decision_note, decided_at, submitted_at, created_at, updated_at, language)
           VALUES ($1, $2, $3, $4, $5, $6, 'rooms, doors', $7, $8, NULL, 'accepted', NULL, $9, $9, $9, $9, 'en')`,
          [
            ...[
              id,
              tx.accountId,
              eventId,
              String(20_000 + n),
              `On the rooms and halls of the ${n}th kind`,
              text,
            ],
            ...[
              JSON.stringify(people),
              JSON.stringify({ name: 'Ada', email: `a${n}@writers.example`, phone: null }),
            ],
            now,
          ],
        )
        const place = { session_id: session.id, before: null }
        await slots.add(tx, eventId, place, { abstract_id: id, minutes: 4 })
      }
    }
  })
}
