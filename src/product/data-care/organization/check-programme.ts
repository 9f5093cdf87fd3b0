import { type FaultAt, makeFault } from '#base/faults.ts'
import { emailKey } from '#base/fields.ts'
import { hasAuthorsOf, keywordsOf, textOf } from '#product/programme/submissions/content.ts'
import type { OrganizationReview, OrganizationRevision } from './abstract-items.ts'
import { at, faultyPlaces, findItemFaults, isObject, type LocalFault, listed, TWICE } from './check.ts'
import type {
  Organization,
  OrganizationAbstract,
  OrganizationEvent,
  OrganizationSubmitter,
} from './schema.ts'

/**
 * Finds what contradicts itself in the abstracts of a file, and in who submits and reviews them.
 *
 * @param file the file as the schema gives it, well-formed or not
 * @param faults the faults of its form; an item that has one is not checked again
 */
export function* findProgrammeFaults(file: unknown, faults: readonly FaultAt[]): Generator<FaultAt> {
  const faulty = faultyPlaces(faults)
  if (!isObject<Organization>(file)) return
  for (const [index, event] of listed(file.events)) {
    if (!isObject<OrganizationEvent>(event)) continue
    const path = `events.${index}`
    for (const list of ['reviewers', 'submitters'] as const) {
      yield* findItemFaults<{ reference: string }>(event[list], `${path}.${list}`, 'reference', faulty)
      yield* findItemFaults<{ email: string }>(
        event[list],
        `${path}.${list}`,
        'email',
        faulty,
        undefined,
        emailKey,
      )
    }
    yield* findInItems<OrganizationAbstract>(event.abstracts, `${path}.abstracts`, faulty, findAbstractFaults)
    const submitted = { references: new Set<string>(), codes: new Set<string>() }
    yield* findInItems<OrganizationSubmitter>(event.submitters, `${path}.submitters`, faulty, submitter =>
      findSubmissionFaults(submitter, submitted),
    )
  }
}

function* findInItems<Item extends object>(
  items: unknown,
  path: string,
  faulty: ReadonlySet<string>,
  find: (item: Item) => Iterable<LocalFault>,
): Generator<FaultAt> {
  for (const [index, item] of listed(items)) {
    const place = `${path}.${index}`
    if (!isObject<Item>(item) || faulty.has(place)) continue
    for (const fault of find(item)) yield at(place, fault)
  }
}

function* findAbstractFaults(abstract: OrganizationAbstract): Generator<LocalFault> {
  const { revisions, reviews } = abstract
  yield* findDecisionFaults(abstract)
  for (const [index, revision] of revisions.entries()) yield* findPlaceFaults(revision, index)
  const newest = revisions.at(-1)
  if (newest !== undefined) yield* findNewestFaults(abstract, newest)
  const seen = new Set<string>()
  for (const [index, review] of reviews.entries()) {
    const path = `reviews.${index}`
    if (seen.has(review.reviewer)) yield [`${path}.reviewer`, TWICE]
    seen.add(review.reviewer)
    yield* findReviewFaults(review, path)
  }
}

/** Finds what does not go with where an abstract stands. */
function* findDecisionFaults(abstract: OrganizationAbstract): Generator<LocalFault> {
  const { status, withdrawn_at, proposal } = abstract
  for (const field of ['decided_kind', 'confirmed_at'] as const)
    if (abstract[field] !== null && status !== 'accepted')
      yield [field, makeFault('notOfAbstract', { status })]
  if (proposal === null) return
  if (withdrawn_at !== null) yield ['proposal', makeFault('contradicts', { field: 'withdrawn_at' })]
  if (proposal.kind !== null && proposal.decision !== 'accepted')
    yield ['proposal.kind', makeFault('contradicts', { field: 'decision' })]
}

/** Finds authors that refer to an affiliation that the version does not have. */
function* findPlaceFaults(
  { authors, affiliations }: OrganizationRevision,
  index: number,
): Generator<LocalFault> {
  for (const [place, author] of authors.entries()) {
    const wrong = author.affiliations.findIndex(one => one >= affiliations.length)
    if (wrong < 0) continue
    const max = affiliations.length - 1
    const fault = max < 0 ? makeFault('list', { min: 0, max: 0 }) : makeFault('integer', { min: 0, max })
    const path = `revisions.${index}.authors.${place}.affiliations`
    yield [max < 0 ? path : `${path}.${wrong}`, fault]
  }
}

/** Finds what an abstract says otherwise than its newest version. */
function* findNewestFaults(
  abstract: OrganizationAbstract,
  newest: OrganizationRevision,
): Generator<LocalFault> {
  const says = {
    title: newest.title,
    abstract: textOf(newest.sections),
    keywords: keywordsOf(newest),
    language: newest.language,
    topic: newest.topic,
    kind: newest.kind,
  }
  for (const field of Object.keys(says) as (keyof typeof says)[])
    if ((abstract[field] ?? '') !== (says[field] ?? '')) yield [field, makeFault('notNewest')]
  if (!hasAuthorsOf(abstract.authors, newest)) yield ['authors', makeFault('notNewest')]
}

/** Finds the faults of a review. It allows the same states as the CHECKs of the table. */
function* findReviewFaults(review: OrganizationReview, path: string): Generator<LocalFault> {
  const { returned, recommendation, done_at, scores } = review
  if (done_at !== null && returned !== null)
    yield [`${path}.done_at`, makeFault('contradicts', { field: 'returned' })]
  else if (done_at !== null && recommendation === null)
    yield [`${path}.recommendation`, makeFault('required')]
  const seen = new Set<string>()
  for (const [index, { criterion }] of scores.entries()) {
    if (seen.has(criterion)) yield [`${path}.scores.${index}.criterion`, TWICE]
    seen.add(criterion)
  }
}

/** Finds what is submitted twice in an event, or says nothing. */
function* findSubmissionFaults(
  { submissions }: OrganizationSubmitter,
  { references, codes }: { references: Set<string>; codes: Set<string> },
): Generator<LocalFault> {
  for (const [index, { reference, abstract, draft }] of submissions.entries()) {
    const path = `submissions.${index}`
    if (references.has(reference)) yield [`${path}.reference`, TWICE]
    references.add(reference)
    if (abstract === null && draft === null) yield [`${path}.draft`, makeFault('required')]
    if (abstract === null) continue
    if (codes.has(abstract)) yield [`${path}.abstract`, TWICE]
    codes.add(abstract)
  }
}
