import { DAY } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { COMMAND_LINE } from '#product/administration/access-log/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { setTerms } from '#product/programme/abstracts/store.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { giveCode } from '#product/programme/decisions/registration-codes.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import { give } from '#product/programme/reviews/assignments.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { edit } from '#product/programme/submissions/edit.ts'
import { noteFile } from '#product/programme/submissions/files.ts'
import { makeFormulas } from '#product/programme/submissions/formulas.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { giveTime } from '#product/programme/submissions/submitters.ts'
import { inParts, LIMITS, pdfOf } from './files.ts'
import { inviteOne, openReview, proposeFor, review } from './reviews.ts'
import { askAuthors, begin, contentOf, draftOf, openCall, saveIn, send } from './submissions.ts'

interface Place {
  db: Database
  accountId: string
  eventId: string
  clock: (() => number) & { advance(by: number): void }
}

const KINDS = [
  { name: 'Talk', minutes: 20, poster: false },
  { name: 'Poster', minutes: null, poster: true },
]

/**
 * Lives a call for abstracts through: with drafts, versions, formulas, files of several sizes, somebody who was made anonymous, reviews
 * in each state, and choices that have retired.
 */
export async function liveCall(place: Place) {
  const { db, accountId, eventId, clock } = place
  await openCall(place, { topics: ['Rooms', 'Doors', '__proto__'], kinds: KINDS, file: 'optional' })
  await askAuthors(place)
  const { topics, kinds } = await db.read(accountId, tx => calls.get(tx, eventId))
  const chosen = (at: number) => ({ topic_id: topics[at]?.id ?? null, kind_id: kinds[at % 2]?.id ?? null })
  const lin = await begin(place)
  const formula = [{ heading: '', text: 'We saw $\\bar{x} \\pm s$, and $5 each.\n\n$$\\frac{1}{2}$$' }]
  const first = await send(place, lin.submission.id, contentOf({ ...chosen(1), sections: formula }))
  await attach(place, lin.submission.id, 'ünï codé.pdf', 700_000)
  await db.write(accountId, tx => submissions.confirm(tx, lin.submitter.id))
  clock.advance(1_000)
  const again = contentOf({
    ...chosen(0),
    sections: formula,
    title: 'On more rooms',
    answers: { award: 'yes' },
  })
  await send(place, lin.submission.id, again)
  clock.advance(1_000)
  const mended = { ...again, title: 'On rooms, mended', ...chosen(2) }
  const formulas = await makeFormulas(mended.sections)
  await db.write(accountId, tx =>
    edit(tx, first.id, { content: mended, formulas, revision: 2, by: 'user:ada' }),
  )
  const arrival = { begunAt: clock() }
  const typed = {
    ...draftOf('On rooms?'),
    typed: { title: ['On rooms?'], topic: [chosen(1).topic_id ?? ''], kind: [''] },
  }
  await db.write(accountId, tx => saveIn(tx, lin.submission.id, typed, arrival))
  const second = await begin(place, { submitterId: lin.submitter.id })
  await attach(place, second.submission.id, 'draft.pdf', 100)
  const zoe = await begin(place, { name: 'Zoe', email: 'zoe@example.org', language: 'es' })
  const gone = await send(place, zoe.submission.id, contentOf(chosen(0)))
  clock.advance(1_000)
  const max = await begin(place, { name: 'Max', email: 'max@example.org' })
  const withdrawn = await send(place, max.submission.id, contentOf({ ...chosen(1), title: 'Withdrawn' }))
  await db.write(accountId, tx => sending.withdraw(tx, max.submission.id))
  await db.write(accountId, tx => giveTime(tx, max.submitter.id, clock() + 20 * DAY))
  await reviewAll(place, [first, gone])
  await decide(place, first, kinds[1]?.id as string)
  await proposeFor(place, first.id, { decision: 'rejected' })
  await proposeFor(place, gone.id, { kind_id: kinds[0]?.id ?? null, note: null })
  await erase(place, 'zoe@example.org')
  await erase(place, 'rudi@reviews.example')
  await retire(place)
  return { first, withdrawn, submission: lin.submission }
}

/** Makes somebody anonymous, as the command does. */
export function erase({ db, accountId }: Pick<Place, 'db' | 'accountId'>, email: string) {
  return erasePerson(db, { accountId, ...COMMAND_LINE, requestId: null, address: null }, email)
}

async function attach(
  { db, accountId, eventId, clock }: Place,
  submissionId: string,
  name: string,
  size: number,
): Promise<void> {
  const began = { begunAt: clock() }
  await new FileReceiver(db).receive(accountId, {
    ...{ eventId, submissionId, name, bytes: inParts(pdfOf(size)), limits: LIMITS },
    whenAttached: (tx, file) => noteFile(tx, submissionId, file, began),
  })
}

async function reviewAll(place: Place, [first, second]: { id: string; code: string }[]): Promise<void> {
  const { db, accountId, eventId, clock } = place
  const criteria = [
    { name: 'Originality', weight: 3 },
    { name: 'Clarity', weight: 1 },
  ]
  await openReview(place, { criteria, about: 'Look *closely*' })
  const rosa = await inviteOne(place, { affiliation: 'Academy' })
  clock.advance(1_000)
  const rudi = await inviteOne(place, { name: 'Rudi', email: 'rudi@reviews.example', language: 'es' })
  const rita = await inviteOne(place, { name: 'Rita', email: 'rita@reviews.example' })
  const { topics } = await db.read(accountId, tx => calls.get(tx, eventId))
  const profile = {
    affiliation: 'Academy',
    topics: topics.slice(0, 2).map(({ id }) => id),
    conflicts: ['Dr. No'],
  }
  await db.write(accountId, tx => reviewers.setProfile(tx, rosa.id, profile))
  for (const abstract of [first, second])
    for (const { id } of [rosa, rudi, rita])
      await db.write(accountId, tx =>
        give(tx, eventId, { abstract_id: abstract?.id as string, reviewer_id: id }),
      )
  await review(place, rosa, first?.code as string)
  await review(place, rudi, first?.code as string, { to_chairs: 'Two\nlines', recommendation: 'reject' })
  const half = { scores: {}, recommendation: null, to_authors: 'Half', to_chairs: null }
  const code = second?.code as string
  await db.write(accountId, tx => reviews.save(tx, rosa, code, { review: half, isDone: false }))
  await db.write(accountId, tx => reviews.giveBack(tx, rita, code, 'field'))
  await db.write(accountId, tx => reviewers.leave(tx, eventId, rita.id))
}

/** Accepts an abstract as another kind, with all that its authors may be told. */
async function decide(
  { db, accountId, eventId, clock }: Place,
  { id, code }: { id: string; code: string },
  kind_id: string,
): Promise<void> {
  await db.write(accountId, async tx => {
    await abstracts.decide(tx, id, { decision: 'accepted', kind_id, note: 'Well done.' })
    const given = { percent: 100, registration_type_ids: null, valid_until: null }
    const registration_code_id = await giveCode(
      tx,
      { event_id: eventId, code, registration_code_id: null },
      given,
    )
    const terms = { confirm_by: clock() + DAY, comments_told_at: clock(), registration_code_id }
    await setTerms(tx, id, terms, await tx.now())
    await tx.run('UPDATE abstracts SET confirmed_at = $3 WHERE account_id = $1 AND id = $2', [
      accountId,
      id,
      clock(),
    ])
  })
}

/** Takes out a topic, a kind and a criterion that are in use. */
async function retire({ db, accountId, eventId }: Place): Promise<void> {
  await db.write(accountId, async tx => {
    const call = await calls.get(tx, eventId)
    const at = { opens_at: Date.parse(call.opens_at), closes_at: Date.parse(call.closes_at) }
    const { event_id: _, updated_at: __, ...rest } = call
    await calls.put(tx, eventId, { ...rest, ...at, topics: ['Doors'], kinds: [...call.kinds.slice(1)] })
    const { event_id: ___, updated_at: ____, closes_at, ...round } = await rounds.get(tx, eventId)
    const criteria = [{ name: 'Clarity', weight: 1 }]
    await rounds.put(tx, eventId, { ...round, closes_at: Date.parse(closes_at), criteria })
  })
}

/** Counts what was sent and said, of all accounts. */
export function countProgramme(db: Database): Promise<Record<string, number>> {
  const tables = [
    'proposals',
    'submitters',
    'submissions',
    'abstract_revisions',
    'reviewers',
    'reviews',
    'abstract_files',
    'emails',
  ]
  return db.read(INSTANCE, async tx => {
    const counts: Record<string, number> = {}
    for (const table of tables)
      counts[table] = Number((await tx.one<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`))?.rows)
    return counts
  })
}
