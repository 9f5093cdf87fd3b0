import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { erasedEmailOf } from '#base/words.ts'
import { AT_WRITE } from '#machinery/db/port.ts'
import { codeKey } from '#product/catalog/codes/schemas.ts'
import type { AbstractRow, TermsRow } from '#product/programme/abstracts/store.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import type { Draft } from '#product/programme/submissions/schemas.ts'
import type { OrganizationRevision } from './abstract-items.ts'
import type { PlannedItem } from './plan-item.ts'
import type { PlannedAbstract, PlannedPeople, PlannedReview, PlannedSubmission } from './plan-people.ts'
import type { ChoiceIds } from './programme-items.ts'
import type { OrganizationAbstract, OrganizationReviewer, OrganizationSubmitter } from './schema.ts'
import { TIMETABLE_TABLES } from './timetable-rows.ts'

/** This file makes rows of who submits and reviews, and of what they have made. */

/** The columns that all rows of an event have. */
export interface OfEvent {
  account_id: string
  event_id: string
  updated_at: number
}

/** The tables, each after those that it refers to. */
export const PROGRAMME_TABLES = [
  'reviewers',
  'abstracts',
  'proposals',
  'abstract_revisions',
  'reviews',
  'submitters',
  'submissions',
  ...TIMETABLE_TABLES,
] as const

export type ProgrammeRows = Record<(typeof PROGRAMME_TABLES)[number], object[]>

/** Adds the new rows of an event. */
export function addProgrammeRows(
  rows: ProgrammeRows,
  { reviewers, abstracts, submitters, choices }: PlannedPeople,
  of: OfEvent,
): void {
  for (const reviewer of reviewers)
    if (reviewer.change === 'created') rows.reviewers.push({ ...reviewerRow(reviewer, choices), ...of })
  for (const abstract of abstracts) {
    if (abstract.change !== 'created') continue
    rows.abstracts.push({ ...abstractRow(abstract, choices), ...of })
    const { proposal } = abstract.item
    if (proposal !== null) rows.proposals.push({ ...proposalRow(abstract.id, proposal, choices), ...of })
    for (const [index, revision] of abstract.item.revisions.entries())
      rows.abstract_revisions.push({ ...revisionRow(abstract.id, index + 1, revision, choices), ...of })
    for (const review of abstract.reviews)
      rows.reviews.push({ ...reviewRow(abstract.id, review, choices), ...of })
  }
  for (const submitter of submitters) {
    if (submitter.change === 'created') rows.submitters.push({ ...submitterRow(submitter), ...of })
    for (const submission of submitter.submissions)
      if (submission.change === 'created')
        rows.submissions.push({ ...submissionRow(submitter.id, submission, choices), ...of })
  }
}

function abstractRow(
  { id, item }: PlannedAbstract,
  choices: ChoiceIds,
): Omit<AbstractRow & TermsRow, 'event_id'> {
  const { topics, kinds } = choices
  const submittedAt = item.submitted_at ?? AT_WRITE
  const isDecided = item.status === 'accepted' || item.status === 'rejected'
  return {
    id,
    code: item.code,
    title: item.title,
    abstract: item.abstract,
    keywords: item.keywords,
    authors: JSON.stringify(item.authors),
    contact: JSON.stringify(item.contact),
    file_name: item.file_name,
    status: item.status,
    decision_note: item.decision_note,
    decided_at: isDecided ? (item.decided_at ?? submittedAt) : null,
    submitted_at: submittedAt,
    created_at: submittedAt,
    language: item.language,
    topic_id: idOf(topics, item.topic),
    kind_id: idOf(kinds, item.kind),
    revision: item.revisions.length,
    withdrawn_at: item.withdrawn_at,
    ...decisionOf(item, choices),
  }
}

function decisionOf(item: OrganizationAbstract, { kinds, codes }: ChoiceIds) {
  const { decision_number, confirmed_at, confirm_by, comments_told_at, registration_code: code } = item
  return {
    ...{ decision_number, confirmed_at, confirm_by, comments_told_at },
    decided_kind_id: idOf(kinds, item.decided_kind),
    unavailable: item.unavailable === null ? null : JSON.stringify(item.unavailable),
    registration_code_id: code === null ? null : (codes.get(codeKey(code)) ?? null),
  }
}

/** No job sends it here yet. */
function proposalRow(
  abstract_id: string,
  { decision, kind, note, proposed_by }: NonNullable<OrganizationAbstract['proposal']>,
  { kinds }: ChoiceIds,
) {
  const kind_id = idOf(kinds, kind)
  return { abstract_id, decision, kind_id, note, proposed_by, job_id: null, created_at: AT_WRITE }
}

function idOf(ids: ReadonlyMap<string, string>, name: string | null): string | null {
  return name === null ? null : (ids.get(name) ?? null)
}

function revisionRow(
  abstract_id: string,
  number: number,
  { formulas, changed_by, created_at, ...revision }: OrganizationRevision,
  choices: ChoiceIds,
) {
  return {
    ...{ abstract_id, number, changed_by, created_at },
    content: JSON.stringify(contentOf(revision, choices)),
    formulas: formulas === null ? null : JSON.stringify(formulas),
  }
}

/** The order of its fields is that of `toContent`: two versions are the same if their JSON is. */
function contentOf(
  revision: Omit<OrganizationRevision, 'formulas' | 'changed_by' | 'created_at'>,
  { topics, kinds }: ChoiceIds,
): Content {
  const { title, sections, keywords, topic, kind, language, contact, authors, affiliations, answers } =
    revision
  return {
    ...{ title, sections: sections.map(({ heading, text }) => ({ heading, text })), keywords },
    topic_id: idOf(topics, topic),
    kind_id: idOf(kinds, kind),
    language,
    contact: { name: contact.name, phone: contact.phone },
    authors: authors.map(author => ({
      ...{ given: author.given, family: author.family, email: author.email, orcid: author.orcid },
      ...{ affiliations: author.affiliations, presenting: author.presenting },
    })),
    affiliations,
    answers,
  }
}

function reviewRow(abstract_id: string, { item, reviewerId }: PlannedReview, { criteria }: ChoiceIds) {
  const { returned, recommendation, to_authors, to_chairs, told, done_at } = item
  const scores = item.scores.map(({ criterion, score }) => [idOf(criteria, criterion), score])
  return {
    ...{ abstract_id, reviewer_id: reviewerId, returned, recommendation, to_authors, to_chairs },
    ...{ told, done_at },
    ...{ scores: JSON.stringify(Object.fromEntries(scores)), created_at: AT_WRITE },
  }
}

/** Returns the e-mail of a person. Whoever was made anonymous has one of the row. */
function emailsOf(id: string, { reference, email }: { reference: string; email: string }) {
  const own = email === erasedEmailOf(reference) ? erasedEmailOf(id) : email
  return { email: own, email_key: emailKey(own) }
}

/** Links that were mailed by another server lead nowhere here. */
function personRow(id: string, item: OrganizationReviewer | OrganizationSubmitter) {
  const { reference, name, language, created_at } = item
  return {
    ...{ id, reference, name, language, ...emailsOf(id, item) },
    ...{ secret_version: 1, created_at: created_at ?? AT_WRITE },
  }
}

function reviewerRow({ id, item }: PlannedItem<OrganizationReviewer>, { topics }: ChoiceIds) {
  const { affiliation, conflicts, left_at } = item
  return {
    ...{ ...personRow(id, item), affiliation, left_at, conflicts: JSON.stringify(conflicts) },
    topics: JSON.stringify(item.topics.flatMap(topic => topics.get(topic) ?? [])),
  }
}

function submitterRow({ id, item }: PlannedItem<OrganizationSubmitter>) {
  const { confirmed_at, late_until } = item
  return { ...personRow(id, item), confirmed_at, late_until }
}

function submissionRow(submitter_id: string, planned: PlannedSubmission, choices: ChoiceIds) {
  const { id, item, abstractId } = planned
  const { reference, draft, confirmed_at, created_at } = item
  return {
    ...{ id, reference, submitter_id, abstract_id: abstractId, confirmed_at },
    form_id: newUuid(),
    draft: draft === null ? null : JSON.stringify(renameChoices(draft, idsOfDraft(choices))),
    ...{ draft_revision: 1, created_at: created_at ?? AT_WRITE },
  }
}

const idsOfDraft = ({ topics, kinds }: ChoiceIds) => ({ topic: topics, kind: kinds })

/** Replaces what a draft has chosen, of which a file has the names and the database the ids. What has none goes. */
export function renameChoices(
  draft: Draft,
  known: Readonly<Record<'topic' | 'kind', ReadonlyMap<string, string>>>,
): Draft {
  const typed = { ...draft.typed }
  for (const part of ['topic', 'kind'] as const) {
    const chosen = Object.hasOwn(typed, part) ? typed[part] : undefined
    if (chosen !== undefined) typed[part] = chosen.map(one => known[part].get(one) ?? '')
  }
  const { authors, affiliations } = draft
  return { typed, authors, affiliations }
}
