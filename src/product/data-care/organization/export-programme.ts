import type { Batches } from '#base/json-text.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import { erasedEmailOf } from '#base/words.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { findRevision, type RevisionRow } from '#product/programme/abstracts/revision-store.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import * as abstracts from '#product/programme/abstracts/store.ts'
import { presentCall } from '#product/programme/calls/schemas.ts'
import { MAX_REVIEWS, presentRound } from '#product/programme/reviews/round-schemas.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import type { Draft } from '#product/programme/submissions/schemas.ts'
import { BATCH, given } from './export-lists.ts'
import { readPages } from './pages.ts'
import type { CurrentProgramme } from './programme-items.ts'
import { renameChoices } from './programme-rows.ts'
import * as store from './programme-store.ts'

/** The lists of an organization file with abstracts, who submits and who reviews them, read while the file is written. */

/** A file that is attached to a submission. */
export interface AttachedFile {
  id: string
  name: string
  size: number
  sha256: string
}

/** Writes the bytes of a file beside the organization file. It returns whether the file is named there. */
export type KeepFile = (tx: ReadTx, file: AttachedFile) => Promise<boolean>

/** The names of what an event lets choose, by id. */
export interface ChoiceNames {
  topics: ReadonlyMap<string, string>
  kinds: ReadonlyMap<string, string>
  criteria: ReadonlyMap<string, string>
}

export function namesOfChoices({ call, review }: CurrentProgramme): ChoiceNames {
  const namesOf = (choices: readonly { id: string; name: string }[]) =>
    new Map(choices.map(({ id, name }) => [id, name]))
  const { topics, kinds } = call === undefined ? { topics: [], kinds: [] } : presentCall(call)
  const { criteria } = review === undefined ? { criteria: [] } : presentRound(review)
  return { topics: namesOf(topics), kinds: namesOf(kinds), criteria: namesOf(criteria) }
}

function nameIn(names: ReadonlyMap<string, string>, id: string | null): string | null {
  return id === null ? null : (names.get(id) ?? null)
}

export async function* exportAbstracts(tx: ReadTx, eventId: string, names: ChoiceNames) {
  for await (const rows of readPages(page => abstracts.listOldestFirst(tx, eventId, page), BATCH)) {
    const ids = rows.map(({ id }) => id)
    const reviewed = await store.findReviewed(tx, ids)
    const decided = new Map((await store.findDecided(tx, ids)).map(row => [row.id, row]))
    yield rows.map(row => ({
      ...exportAbstract(row),
      ...given({
        language: row.language,
        topic: nameIn(names.topics, row.topic_id),
        kind: nameIn(names.kinds, row.kind_id),
        withdrawn_at: toIsoOrNull(row.withdrawn_at),
      }),
      ...exportDecision(row, decided.get(row.id), names),
      ...(row.revision === 0 ? {} : { revisions: exportRevisions(tx, row, names) }),
      ...(reviewed.has(row.id) ? { reviews: exportReviews(tx, row.id, names) } : {}),
    }))
  }
}

function exportAbstract(abstract: abstracts.AbstractRow) {
  const { name, email, phone } = JSON.parse(abstract.contact) as Abstract['contact']
  return {
    code: abstract.code,
    title: abstract.title,
    abstract: abstract.abstract,
    keywords: abstract.keywords,
    authors: JSON.parse(abstract.authors),
    contact: { name, email, phone },
    file_name: abstract.file_name,
    status: abstract.status,
    decision_note: abstract.decision_note,
    decided_at: toIsoOrNull(abstract.decided_at),
    submitted_at: toIsoOrNull(abstract.submitted_at),
  }
}

function exportDecision(
  { decision_number, decided_kind_id, confirmed_at }: abstracts.AbstractRow,
  row: store.DecidedRow | undefined,
  { kinds }: ChoiceNames,
) {
  const proposal = row?.decision && {
    ...{ decision: row.decision, ...given({ kind: nameIn(kinds, row.kind_id), note: row.note }) },
    proposed_by: row.proposed_by,
  }
  return {
    ...(decision_number === 0 ? {} : { decision_number }),
    ...given({
      decided_kind: nameIn(kinds, decided_kind_id),
      confirmed_at: toIsoOrNull(confirmed_at),
      confirm_by: toIsoOrNull(row?.confirm_by ?? null),
      comments_told_at: toIsoOrNull(row?.comments_told_at ?? null),
      registration_code: row?.registration_code ?? null,
    }),
    ...(row?.unavailable ? { unavailable: JSON.parse(row.unavailable) as string[] } : {}),
    ...(proposal ? { proposal } : {}),
  }
}

/** Reads one version at a time. Each may have more than a hundred kilobytes. */
async function* exportRevisions(
  tx: ReadTx,
  { id, revision }: abstracts.AbstractRow,
  names: ChoiceNames,
): Batches<object> {
  for (let number = 1; number <= revision; number++) {
    const row = await findRevision(tx, id, number)
    if (row !== undefined) yield [exportRevision(row, names)]
  }
}

function exportRevision({ content, formulas, changed_by, created_at }: RevisionRow, names: ChoiceNames) {
  const { topic_id, kind_id, title, sections, keywords, answers, ...rest } = JSON.parse(content) as Content
  return {
    created_at: toIso(created_at),
    ...given({ changed_by }),
    ...{ title, sections, keywords },
    ...given({ topic: nameIn(names.topics, topic_id), kind: nameIn(names.kinds, kind_id) }),
    ...rest,
    ...(Object.keys(answers ?? {}).length === 0 ? {} : { answers }),
    ...(formulas === null ? {} : { formulas: JSON.parse(formulas) as object }),
  }
}

async function* exportReviews(tx: ReadTx, abstractId: string, { criteria }: ChoiceNames) {
  for (const row of await store.listReviews(tx, abstractId, 10 * MAX_REVIEWS)) {
    const { reviewer, returned, recommendation, to_authors, to_chairs, told } = row
    const scores = Object.entries(JSON.parse(row.scores) as Record<string, number>)
    yield [
      {
        ...{ reviewer, ...given({ returned }) },
        scores: scores.flatMap(([id, score]) => {
          const criterion = criteria.get(id)
          return criterion === undefined ? [] : [{ criterion, score }]
        }),
        ...given({ recommendation, to_authors, to_chairs, told, done_at: toIsoOrNull(row.done_at) }),
      },
    ]
  }
}

/** Returns what a file says of a person. Whoever was made anonymous has an e-mail that is of no use elsewhere. */
function exportPerson({
  id,
  reference,
  name,
  email,
  language,
}: Pick<store.ListedSubmitter, 'id' | 'reference' | 'name' | 'email' | 'language'>) {
  return {
    reference,
    name,
    email: email === erasedEmailOf(id) ? erasedEmailOf(reference) : email,
    language,
  }
}

export async function* exportReviewers(tx: ReadTx, eventId: string, { topics }: ChoiceNames) {
  for await (const rows of readPages(page => store.listReviewers(tx, eventId, page), BATCH))
    yield rows.map(row => ({
      ...exportPerson(row),
      ...given({ affiliation: row.affiliation }),
      topics: (JSON.parse(row.topics) as string[]).flatMap(id => topics.get(id) ?? []),
      conflicts: JSON.parse(row.conflicts) as string[],
      ...given({ left_at: toIsoOrNull(row.left_at) }),
      created_at: toIso(row.created_at),
    }))
}

/** Exports who submits. Whoever has nothing left is left out. @param keep undefined to leave files out */
export async function* exportSubmitters(
  tx: ReadTx,
  eventId: string,
  names: ChoiceNames,
  keep: KeepFile | undefined,
) {
  for await (const rows of readPages(page => store.listSubmitters(tx, eventId, page), BATCH)) {
    const having = await store.findSubmitting(
      tx,
      rows.map(({ id }) => id),
    )
    yield rows
      .filter(({ id }) => having.has(id))
      .map(row => ({
        ...exportPerson(row),
        ...given({ confirmed_at: toIsoOrNull(row.confirmed_at), late_until: toIsoOrNull(row.late_until) }),
        created_at: toIso(row.created_at),
        submissions: exportSubmissions(tx, { id: row.id, eventId }, names, keep),
      }))
  }
}

/** The drafts of one read. Each may have 64 kB. */
const SUBMISSIONS = 20

async function* exportSubmissions(
  tx: ReadTx,
  of: { id: string; eventId: string },
  { topics, kinds }: ChoiceNames,
  keep: KeepFile | undefined,
): Batches<object> {
  const known = { topic: topics, kind: kinds }
  for await (const rows of readPages(page => store.listOfSubmitter(tx, of, page), SUBMISSIONS)) {
    for (const row of rows) {
      const { file_id: id, file_name: name, size, sha256 } = row
      const isKept = id !== null && (await keep?.(tx, { id, name, size, sha256 }))
      yield [
        {
          ...{ reference: row.reference, ...given({ abstract: row.code }) },
          ...(row.draft === null ? {} : { draft: renameChoices(JSON.parse(row.draft) as Draft, known) }),
          ...given({ confirmed_at: toIsoOrNull(row.confirmed_at) }),
          created_at: toIso(row.created_at),
          ...(isKept ? { file: { name, size, sha256 } } : {}),
        },
      ]
    }
  }
}
