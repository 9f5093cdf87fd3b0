import * as v from 'valibot'
import { closedObject, email, listOf, name, oneOf, text } from '../fields.ts'
import { id, instant } from '../resource.ts'
import { toIsoOrNull } from '../time.ts'
import type { AbstractRow } from './store.ts'

export const abstractStatuses = ['submitted', 'in_review', 'accepted', 'rejected'] as const

export const MAX_NOTE = 2000
const MAX_AUTHORS = 100
const MAX_PHONE = 50

/** The authors of an abstract, in their order. */
export const authorsSchema = listOf(
  closedObject({
    name: name(),
    email: v.nullish(email, null),
    affiliation: v.nullish(name(), null),
    presenting: v.nullish(v.boolean('must be true or false'), false),
  }),
  MAX_AUTHORS,
)

/** Whom the organizer writes to. */
export const contactSchema = closedObject({
  name: name(),
  email,
  phone: v.nullish(text(MAX_PHONE), null),
})

export const decisions = ['accepted', 'rejected', 'in_review'] as const

/** The body of POST /abstracts/{id}/decision: specification section 4. */
export const decisionSchema = closedObject({
  decision: oneOf(decisions),
  note: v.optional(v.pipe(text(MAX_NOTE), v.metadata({ description: 'Shown to the author.' }))),
})

export type Decision = v.InferOutput<typeof decisionSchema>

/** The abstract: specification section 2. */
export const abstractSchema = v.object({
  id,
  object: v.literal('abstract'),
  event_id: id,
  code: v.string(),
  title: v.string(),
  abstract: v.string(),
  keywords: v.nullable(v.string()),
  authors: v.array(
    v.object({
      name: v.string(),
      email: v.nullable(v.string()),
      affiliation: v.nullable(v.string()),
      presenting: v.boolean(),
    }),
  ),
  contact: v.object({ name: v.string(), email: v.string(), phone: v.nullable(v.string()) }),
  file_name: v.nullable(v.string()),
  status: v.picklist(abstractStatuses),
  decision_note: v.nullable(v.string()),
  decided_at: v.nullable(instant),
  submitted_at: v.nullable(instant),
})

export type Abstract = v.InferOutput<typeof abstractSchema>

export const abstractExample: Abstract = {
  id: '0197a0b4-5d22-7b61-9c03-4f5e6d7c8b9a',
  object: 'abstract',
  event_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
  code: 'A-1',
  title: 'Counting what is counted',
  abstract: 'We count, and then we count again.',
  keywords: 'counting, trust',
  authors: [
    { name: 'Lin', email: 'lin@example.org', affiliation: 'Institute of Counting', presenting: true },
  ],
  contact: { name: 'Lin', email: 'lin@example.org', phone: null },
  file_name: 'counting.pdf',
  status: 'submitted',
  decision_note: null,
  decided_at: null,
  submitted_at: '2026-10-12T08:00:00.000Z',
}

export function presentAbstract(row: AbstractRow): Abstract {
  return {
    id: row.id,
    object: 'abstract',
    event_id: row.event_id,
    code: row.code,
    title: row.title,
    abstract: row.abstract,
    keywords: row.keywords,
    authors: JSON.parse(row.authors) as Abstract['authors'],
    contact: JSON.parse(row.contact) as Abstract['contact'],
    file_name: row.file_name,
    status: row.status,
    decision_note: row.decision_note,
    decided_at: toIsoOrNull(row.decided_at),
    submitted_at: toIsoOrNull(row.submitted_at),
  }
}
