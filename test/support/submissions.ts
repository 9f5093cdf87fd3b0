import { randomUUID } from 'node:crypto'
import { DAY } from '#base/time.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { NewQuestion, Question } from '#product/guests/questions/schemas.ts'
import { insertRevision } from '#product/programme/abstracts/revision-store.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { NewCall } from '#product/programme/calls/schemas.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { makeFormulas } from '#product/programme/submissions/formulas.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import type { Draft, Submission } from '#product/programme/submissions/schemas.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { insertFile } from './files.ts'

interface Place {
  db: Database
  accountId: string
  eventId: string
  clock: () => number
}

/** Opens a call that began a day ago, and ends in two weeks. */
export function openCall({ db, accountId, eventId, clock }: Place, changes: Partial<NewCall> = {}) {
  const of = calls.defaultsAt(clock() - DAY, 'UTC')
  const call = { ...of, closes_at: clock() + 14 * DAY, ...changes }
  return db.write(accountId, tx => calls.put(tx, eventId, call))
}

/** Asks authors something beside the text: for whether there is an award, unless it is changed. */
export function askAuthors(
  { db, accountId, eventId }: Place,
  changes: Partial<NewQuestion> = {},
): Promise<Question> {
  const question: NewQuestion = {
    ...{ key: 'award', label: 'Award?', help: null, kind: 'yes_no', choices: [], required: false },
    ...{ asked_for: 'abstract', for_reviewers: false, registration_type_ids: null },
    ...changes,
  }
  return db.write(accountId, tx => questions.create(tx, eventId, question))
}

/** Returns an abstract that a call takes which asks for nothing special. */
export function contentOf(changes: Partial<Content> = {}): Content {
  return {
    title: 'On rooms',
    sections: [{ heading: '', text: 'They fill, and then they are empty.' }],
    keywords: ['rooms'],
    ...{ topic_id: null, kind_id: null, language: 'en' },
    contact: { name: 'Lin Mei', phone: null },
    authors: [
      { given: 'Lin', family: 'Mei', email: null, orcid: null, affiliations: [0], presenting: true },
      { given: null, family: 'Aristotle', email: null, orcid: null, affiliations: [], presenting: false },
    ],
    affiliations: ['Institute of Rooms'],
    answers: {},
    ...changes,
  }
}

export const draftOf = (title: string): Draft => ({
  typed: { title: [title] },
  ...{ authors: 1, affiliations: 1 },
})

/** Begins an abstract as a visitor does, where nothing has to be confirmed first. */
export async function begin(place: Place, changes: Partial<submissions.NewSubmission> = {}) {
  const result = await beginAs(place, changes)
  if (result.is !== 'begun') throw new Error(`An abstract was not begun: ${result.is}`)
  return result.begun
}

/** Begins an abstract as a visitor does, and returns what has become of that. */
export function beginAs(
  { db, accountId, eventId, clock }: Place,
  changes: Partial<submissions.NewSubmission> = {},
) {
  const input: submissions.NewSubmission = {
    ...{ formId: randomUUID(), seen: 0, name: 'Lin Mei', email: 'lin@example.org', language: 'en' },
    ...{ draft: draftOf('On rooms'), arrival: { begunAt: clock() }, networks: [] },
    ...changes,
  }
  return db.write(accountId, tx => submissions.begin(tx, eventId, input))
}

export async function send({ db, accountId, clock }: Place, id: string, content: Content = contentOf()) {
  const formulas = await makeFormulas(content.sections)
  return db.write(accountId, async tx => {
    const { submission } = await submissions.get(tx, id)
    return sending.send(tx, id, content, formulas, { begunAt: clock(), revision: submission.draft_revision })
  })
}

/** Puts a file beside the first abstract that an organization file has brought, and its version, as if its contact had submitted it. */
export async function addFileBeside(place: Place): Promise<void> {
  await openCall(place)
  const { submission } = await begin(place)
  await place.db.write(place.accountId, async tx => {
    await tx.run(
      `UPDATE submissions SET abstract_id = (SELECT min(b.id) FROM abstracts b WHERE b.account_id = $1 AND b.event_id = $2)
       WHERE account_id = $1 AND id = $3`,
      [tx.accountId, place.eventId, submission.id],
    )
    const { submission: sent } = await submissions.get(tx, submission.id)
    const id = sent.abstract_id as string
    await tx.run('UPDATE abstracts SET revision = 1 WHERE account_id = $1 AND id = $2', [tx.accountId, id])
    const version = { number: 1, content: JSON.stringify(contentOf()), formulas: null, changed_by: null }
    await insertRevision(tx, { id, event_id: place.eventId }, version, await tx.now())
    await insertFile(tx, place.eventId, { submissionId: submission.id })
  })
}

/** Saves as whoever has just looked. */
export async function saveIn(
  tx: WriteTx,
  id: string,
  draft: Draft,
  arrival: { begunAt: number },
): Promise<Submission> {
  const { submission } = await submissions.get(tx, id)
  return submissions.save(tx, id, draft, { ...arrival, revision: submission.draft_revision })
}

/** A call, and an abstract that was sent and is being changed: no file brings them. */
export async function addSubmission(place: Place): Promise<void> {
  const kind = { name: 'Talk', minutes: 15, poster: false }
  await openCall(place, { topics: ['Rooms'], kinds: [kind], file: 'optional' })
  const { submission } = await begin(place)
  const { db, accountId, clock } = place
  const { topics, kinds } = await db.read(accountId, tx => calls.get(tx, place.eventId))
  const chosen = { topic_id: topics[0]?.id ?? null, kind_id: kinds[0]?.id ?? null }
  await send(place, submission.id, contentOf(chosen))
  const arrival = { begunAt: clock() }
  await db.write(accountId, tx => saveIn(tx, submission.id, draftOf('On roms'), arrival))
}
