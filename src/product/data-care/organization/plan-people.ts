import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { erasedEmailOf } from '#base/words.ts'
import { codeKey } from '#product/catalog/codes/schemas.ts'
import { MAX_REVIEWERS } from '#product/programme/reviews/reviewer-schemas.ts'
import { MOST_BEGUN } from '#product/programme/submissions/rules.ts'
import { MOST_SENT } from '#product/programme/submissions/send.ts'
import type { OrganizationReview } from './abstract-items.ts'
import { differing, type Existing } from './existing.ts'
import type { CurrentPeople } from './people.ts'
import type { Places } from './places.ts'
import type { PlannedItem } from './plan-item.ts'
import type { ChoiceIds, CurrentProgramme, PlannedProgramme } from './programme-items.ts'
import type { Refusals } from './refusals.ts'
import type {
  OrganizationAbstract,
  OrganizationEvent,
  OrganizationReviewer,
  OrganizationSubmission,
  OrganizationSubmitter,
} from './schema.ts'

export interface PlannedReview {
  item: OrganizationReview
  reviewerId: string
}

export interface PlannedAbstract extends PlannedItem<OrganizationAbstract> {
  /** What is said of a new one. An abstract that exists keeps its reviews. */
  reviews: PlannedReview[]
}

export interface PlannedSubmission {
  change: 'created' | 'kept'
  /** Null if it does not come. */
  id: string | null
  item: OrganizationSubmission
  abstractId: string | null
}

export interface PlannedSubmitter extends PlannedItem<OrganizationSubmitter> {
  submissions: PlannedSubmission[]
}

export interface PlannedPeople {
  reviewers: PlannedItem<OrganizationReviewer>[]
  abstracts: PlannedAbstract[]
  submitters: PlannedSubmitter[]
  /** The ids of what the call and the review let choose, by name. */
  choices: ChoiceIds
}

interface Around {
  current: CurrentPeople | undefined
  programme: CurrentProgramme | undefined
  planned: PlannedProgramme
  choices: ChoiceIds
  abstracts: readonly PlannedItem<OrganizationAbstract>[]
  places: Places
  refusals: Refusals
}

/**
 * Plans who submits and reviews, and what they have made. They are only ever added. Whoever exists, by reference or e-mail, stays as
 * they are, and so does an abstract with its versions and reviews. What was begun and never sent comes along with its person alone: it
 * may have been given up since, or its person made anonymous.
 */
export function planPeople(file: OrganizationEvent, around: Around): PlannedPeople {
  const reviewers = planReviewers(file, around)
  const abstracts = planReviews(reviewers, around)
  return { reviewers, abstracts, submitters: planSubmitters(file, around), choices: around.choices }
}

interface Person {
  reference: string
  name: string
  email: string
  language: string
}

function existingOf(
  item: Person & { affiliation?: string | null },
  known: CurrentPeople['reviewers'] | undefined,
): (Existing & { isErased: boolean }) | undefined {
  const row = known?.byReference.get(item.reference) ?? known?.byEmail.get(emailKey(item.email))
  if (row === undefined) return undefined
  const isErased = row.email === erasedEmailOf(row.id)
  const email = isErased ? erasedEmailOf(row.reference) : row.email
  const differs = differing([
    ['name', item.name, row.name],
    ['email', item.email, email],
    ['language', item.language, row.language],
    ['affiliation', item.affiliation ?? null, row.affiliation],
  ])
  return { id: row.id, differs, isErased }
}

function planReviewers(
  file: OrganizationEvent,
  { current, programme, planned, choices, places, refusals }: Around,
): PlannedItem<OrganizationReviewer>[] {
  const all = file.reviewers.map((item): PlannedItem<OrganizationReviewer> => {
    const known = existingOf(item, current?.reviewers)
    if (known !== undefined) return { change: 'kept', id: known.id, item, differs: known.differs }
    for (const [index, topic] of item.topics.entries())
      refuseUnknown(
        topic,
        choices.topics,
        [`${places.of('reviewers', item)}.topics.${index}`, 'topic'],
        refusals,
      )
    return { change: 'created', id: newUuid(), item, differs: [] }
  })
  const created = all.filter(({ change }) => change === 'created').length
  const path = `${places.path}.reviewers`
  if (created > 0 && planned.review === undefined && programme?.review === undefined)
    refusals.add(path, 'are there without the review of the event')
  if ((current?.reviewers.count ?? 0) + created > 2 * MAX_REVIEWERS)
    refusals.add(path, `are more than the ${2 * MAX_REVIEWERS} that an event takes`)
  return all
}

function planReviews(
  reviewers: readonly PlannedItem<OrganizationReviewer>[],
  { current, choices, abstracts, places, refusals }: Around,
): PlannedAbstract[] {
  const ids = new Map(reviewers.map(({ id, item }) => [item.reference, id]))
  const idOf = (reference: string) => ids.get(reference) ?? current?.reviewers.byReference.get(reference)?.id
  return abstracts.map(planned => {
    const { item, change } = planned
    if (change !== 'created') return { ...planned, reviews: [] }
    const path = () => places.of('abstracts', item)
    refuseChoices(item, choices, path, refusals)
    for (const [field, kind] of [
      ['decided_kind', item.decided_kind],
      ['proposal.kind', item.proposal?.kind ?? null],
    ] as const)
      if (kind !== null) refuseUnknown(kind, choices.kinds, [`${path()}.${field}`, 'kind'], refusals)
    const code = item.registration_code
    if (code !== null && !choices.codes.has(codeKey(code)))
      refusals.add(`${path()}.registration_code`, `is "${code}", and the event has no such code`)
    for (const [index, revision] of item.revisions.entries()) {
      refuseChoices(revision, choices, () => `${path()}.revisions.${index}`, refusals)
      const strange = Object.keys(revision.answers).find(key => !choices.questions.has(key))
      if (strange !== undefined)
        refusals.add(
          `${path()}.revisions.${index}.answers`,
          `has "${strange}", and the event asks no such question of abstracts`,
        )
    }
    const taken = new Set<string>()
    const reviews = item.reviews.flatMap((review, index) => {
      const place = () => `${path()}.reviews.${index}`
      const reviewerId = idOf(review.reviewer)
      for (const [at, { criterion }] of review.scores.entries())
        if (!choices.criteria.has(criterion))
          refusals.add(
            `${place()}.scores.${at}.criterion`,
            `is "${criterion}", and the review has no criterion of that name`,
          )
      if (reviewerId === undefined || taken.has(reviewerId)) {
        const wrong = reviewerId === undefined ? 'of no reviewer that the event has' : 'of one reviewer twice'
        refusals.add(`${place()}.reviewer`, `is "${review.reviewer}", ${wrong}`)
        return []
      }
      taken.add(reviewerId)
      return [{ item: review, reviewerId }]
    })
    return { ...planned, reviews }
  })
}

function refuseChoices(
  { topic, kind }: { topic: string | null; kind: string | null },
  { topics, kinds }: ChoiceIds,
  path: () => string,
  refusals: Refusals,
): void {
  if (topic !== null) refuseUnknown(topic, topics, [`${path()}.topic`, 'topic'], refusals)
  if (kind !== null) refuseUnknown(kind, kinds, [`${path()}.kind`, 'kind'], refusals)
}

function refuseUnknown(
  name: string,
  ids: ReadonlyMap<string, string>,
  [path, what]: [path: string, what: 'topic' | 'kind'],
  refusals: Refusals,
): void {
  if (!ids.has(name)) refusals.add(path, `is "${name}", and the call has no ${what} of that name`)
}

function planSubmitters(file: OrganizationEvent, around: Around): PlannedSubmitter[] {
  const { current, programme, planned, places, refusals } = around
  const codes = abstractsByCode(around)
  const all = file.submitters.map(item => {
    const known = existingOf(item, current?.submitters)
    const submissions = item.submissions.map((submission, index) => {
      const path = `${places.of('submitters', item)}.submissions.${index}`
      return planSubmission(submission, path, { known, current, codes, refusals })
    })
    const id = known?.id ?? newUuid()
    const isNew = known === undefined && submissions.some(({ change }) => change === 'created')
    const change = isNew ? ('created' as const) : ('kept' as const)
    return { change, id, item, differs: known?.differs ?? [], submissions }
  })
  const created = all.flatMap(({ submissions }) => submissions.filter(({ change }) => change === 'created'))
  const path = `${places.path}.submitters`
  if (created.length > 0 && planned.call === undefined && programme?.call === undefined)
    refusals.add(path, 'are there without the call of the event')
  const sent = created.filter(({ abstractId }) => abstractId !== null).length
  if ((current?.sent ?? 0) + sent > MOST_SENT)
    refusals.add(path, `send more than the ${MOST_SENT} abstracts that an event takes`)
  if ((current?.begun ?? 0) + created.length - sent > 2 * MOST_BEGUN)
    refusals.add(path, `have begun more than the ${2 * MOST_BEGUN} abstracts that an event takes`)
  return all
}

interface Sent {
  id: string
  revision: number
  /** Whether it is known already by whom it was sent. */
  isSubmitted: boolean
}

/** Returns the abstracts of the event as they will be, by code. */
function abstractsByCode({ current, abstracts }: Around): Map<string, Sent> {
  const codes = new Map<string, Sent>()
  for (const { id, code, revision, submission_id } of current?.abstracts ?? [])
    codes.set(code, { id, revision, isSubmitted: submission_id !== null })
  for (const { change, id, item } of abstracts)
    if (change === 'created')
      codes.set(item.code, { id, revision: item.revisions.length, isSubmitted: false })
  return codes
}

function planSubmission(
  item: OrganizationSubmission,
  path: string,
  {
    known,
    current,
    codes,
    refusals,
  }: {
    known: { isErased: boolean } | undefined
    current: CurrentPeople | undefined
    codes: ReadonlyMap<string, Sent>
    refusals: Refusals
  },
): PlannedSubmission {
  const row = current?.submissions.get(item.reference)
  if (row !== undefined) return { change: 'kept', id: row.id, item, abstractId: row.abstract_id }
  const kept = { change: 'kept', id: null, item, abstractId: null } as const
  // Of somebody who is there already comes only what an abstract lacks.
  if (known?.isErased || (known !== undefined && item.abstract === null)) return kept
  if (item.abstract === null) return { change: 'created', id: newUuid(), item, abstractId: null }
  const sent = codes.get(item.abstract)
  if (sent === undefined)
    refusals.add(`${path}.abstract`, `is "${item.abstract}", and the event has no abstract of that code`)
  else if (sent.isSubmitted) return kept
  else if (sent.revision === 0)
    refusals.add(`${path}.abstract`, `is "${item.abstract}", of which no revision is there`)
  return { change: 'created', id: newUuid(), item, abstractId: sent?.id ?? null }
}
