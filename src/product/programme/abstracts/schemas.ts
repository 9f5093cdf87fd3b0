import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { closedObject, email, listOf, name, oneOf, text, yesOrNo } from '#base/fields.ts'
import { field, id, instant } from '#base/resource.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { PublishedPlace } from '#product/programme/versions/schemas.ts'
import { orcid } from './orcid.ts'
import { abstractStatuses } from './states.ts'
import type { AbstractRow } from './store.ts'

export const MAX_NOTE = 2000
const MAX_AUTHORS = 100
const MAX_AFFILIATIONS = 30
const MAX_PHONE = 50
/** The longest name of an author, which may be two names of 100 characters. */
const MAX_AUTHOR = 201
/** The longest affiliations of an author, all of them joined. */
const MAX_JOINED = MAX_AFFILIATIONS * 202

const countsAffiliations = says('list', { min: 0, max: MAX_AFFILIATIONS })
/** The count is checked before any item. */
const affiliations = v.pipe(
  v.custom<unknown[]>(value => Array.isArray(value) && value.length <= MAX_AFFILIATIONS, countsAffiliations),
  v.array(name(), countsAffiliations),
)

/** The authors of an abstract as a file brings them, in their order. */
export const authorsSchema = listOf(
  closedObject({
    name: name(MAX_AUTHOR),
    email: v.nullish(email, null),
    affiliation: v.nullish(name(MAX_JOINED), null),
    presenting: v.nullish(yesOrNo, false),
    orcid: v.optional(v.nullable(orcid)),
    affiliations: v.optional(affiliations),
  }),
  MAX_AUTHORS,
)

/** The person to whom the organizer writes. */
export const contactSchema = closedObject({
  name: name(),
  email,
  phone: v.nullish(text(MAX_PHONE), null),
})

export const decisions = ['accepted', 'rejected', 'in_review'] as const

/** The body of POST /abstracts/{id}/decision (specification section 4). */
export const decisionSchema = closedObject({
  decision: field(oneOf(decisions), 'Becomes the `status` of the abstract.'),
  note: v.optional(
    field(
      text(MAX_NOTE),
      'Shown to the author, in the mail about the decision. Left out, the abstract has no note afterwards.',
    ),
  ),
  kind: v.optional(
    field(
      name(),
      'The name of the kind that it is accepted as, of those that the call offers. Left out, it is the one that its authors asked for.',
    ),
  ),
})

export type Decision = v.InferOutput<typeof decisionSchema>

const authorFields = {
  name: field(v.string(), 'The name of the author.'),
  email: field(v.nullable(v.string()), 'The e-mail of the author.'),
  affiliation: field(v.nullable(v.string()), 'Where the author works: all affiliations, joined by `; `.'),
  presenting: field(v.boolean(), 'Whether this author gives the talk.'),
}
const furtherFields = {
  orcid: field(v.nullable(v.string()), 'The ORCID iD of the author.'),
  affiliations: field(v.array(v.string()), 'Where the author works, each by itself.'),
}

/** Authors as the database has them. Those that a file has brought may have neither ORCID iDs nor a list of affiliations. */
export const storedAuthorsSchema = v.array(
  v.object({
    ...authorFields,
    orcid: v.optional(furtherFields.orcid),
    affiliations: v.optional(furtherFields.affiliations),
  }),
)

/** The abstract (specification section 2). */
export const abstractSchema = v.object({
  id: field(id, 'The id of the abstract.'),
  object: v.literal('abstract'),
  event_id: field(id, 'The event that it was submitted to.'),
  code: field(v.string(), 'What people call it by, such as A-1; unique in the event.'),
  title: field(v.string(), 'The title.'),
  abstract: field(v.string(), 'The text.'),
  keywords: field(v.nullable(v.string()), 'The keywords, as the author wrote them.'),
  topic: field(v.nullable(v.string()), 'The name of its topic, of those that the call offers.'),
  kind: field(
    v.nullable(
      v.object({
        name: field(v.string(), 'The name of the kind.'),
        minutes: field(
          v.nullable(v.number()),
          'How long it takes; null where that is open, and for a poster.',
        ),
        poster: field(v.boolean(), 'Whether it is a poster.'),
      }),
    ),
    'The kind of contribution, of those that the call offers: what it was accepted as, or what its authors ask for.',
  ),
  language: field(v.nullable(v.string()), 'The language of the text, as BCP 47 has it, such as `en`.'),
  authors: field(v.array(v.object({ ...authorFields, ...furtherFields })), 'The authors, in their order.'),
  contact: field(
    v.object({
      name: field(v.string(), 'The name.'),
      email: field(v.string(), 'The e-mail.'),
      phone: field(v.nullable(v.string()), 'The telephone number.'),
    }),
    'Whom the organizer writes to.',
  ),
  file_name: field(v.nullable(v.string()), 'The name of the file that was submitted with it.'),
  status: field(v.picklist(abstractStatuses), 'Where it stands: `submitted`, until the first decision.'),
  decision_note: field(v.nullable(v.string()), 'The note of the latest decision.'),
  decided_at: field(v.nullable(instant), 'When it was accepted or rejected; null in the other states.'),
  submitted_at: field(v.nullable(instant), 'When it was submitted.'),
  withdrawn_at: field(v.nullable(instant), 'When its authors withdrew it. It takes no decision then.'),
  confirmed_at: field(
    v.nullable(instant),
    'When its authors confirmed that they come. Only one that is accepted has it.',
  ),
  session: field(
    v.nullable(
      v.object({
        id: field(v.string(), 'The id of the session.'),
        title: field(v.nullable(v.string()), 'The title of the session; null if it was removed since.'),
        room: field(v.nullable(v.string()), 'The name of the room; null as long as there is none.'),
        starts_at: field(instant, 'When the abstract is presented.'),
        ends_at: field(instant, 'When that ends.'),
        number: field(v.string(), 'The number in the programme, such as O-12, or P-034 for a poster.'),
      }),
    ),
    'Its place in the published programme, the first if it has several. Only one that is accepted has it.',
  ),
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
  topic: 'Numbers',
  kind: { name: 'Talk', minutes: 20, poster: false },
  language: 'en',
  authors: [
    {
      ...{ name: 'Lin', email: 'lin@example.org', affiliation: 'Institute of Counting', presenting: true },
      ...{ orcid: '0000-0002-1825-0097', affiliations: ['Institute of Counting'] },
    },
  ],
  contact: { name: 'Lin', email: 'lin@example.org', phone: null },
  file_name: 'counting.pdf',
  status: 'submitted',
  decision_note: null,
  decided_at: null,
  submitted_at: '2026-10-12T08:00:00.000Z',
  withdrawn_at: null,
  confirmed_at: null,
  session: null,
}

export const decidedAbstractExample: Abstract = {
  ...abstractExample,
  status: 'accepted',
  decision_note: 'A talk of twenty minutes.',
  decided_at: '2026-11-05T16:20:00.000Z',
  session: {
    ...{ id: '0197a0b4-6e33-7a41-8b12-5c6d7e8f9a0b', title: 'Counting and measuring', room: 'Main hall' },
    ...{ starts_at: '2026-11-21T10:20:00.000Z', ends_at: '2026-11-21T10:40:00.000Z', number: 'O-12' },
  },
}

/** Reads the authors of a row. Those of a file that names no affiliations one by one have the one that it names. */
export function readAuthors({ authors }: Pick<AbstractRow, 'authors'>): Abstract['authors'] {
  const stored = JSON.parse(authors) as v.InferOutput<typeof storedAuthorsSchema>
  return stored.map(({ name, email, affiliation, presenting, orcid = null, affiliations }) => ({
    ...{ name, email, affiliation, presenting, orcid },
    affiliations: affiliations ?? (affiliation === null ? [] : [affiliation]),
  }))
}

/** What names the topics and kinds that abstracts have. */
export type Choices = Pick<Call, 'topics' | 'kinds'>

/**
 * @param choices of the call of the event, if it has one
 * @param place in its public programme, if it has one
 */
export function presentAbstract(
  row: AbstractRow,
  choices: Choices | undefined,
  place: PublishedPlace | undefined,
): Abstract {
  const kind = choices?.kinds.find(({ id }) => id === (row.decided_kind_id ?? row.kind_id))
  return {
    id: row.id,
    object: 'abstract',
    event_id: row.event_id,
    code: row.code,
    title: row.title,
    abstract: row.abstract,
    keywords: row.keywords,
    topic: choices?.topics.find(({ id }) => id === row.topic_id)?.name ?? null,
    kind: kind === undefined ? null : { name: kind.name, minutes: kind.minutes, poster: kind.poster },
    language: row.language,
    authors: readAuthors(row),
    contact: JSON.parse(row.contact) as Abstract['contact'],
    file_name: row.file_name,
    status: row.status,
    decision_note: row.decision_note,
    decided_at: toIsoOrNull(row.decided_at),
    submitted_at: toIsoOrNull(row.submitted_at),
    withdrawn_at: toIsoOrNull(row.withdrawn_at),
    confirmed_at: toIsoOrNull(row.confirmed_at),
    session: place === undefined ? null : presentPlace(place),
  }
}

export function presentPlace({
  session_id,
  title,
  room,
  from,
  to,
  number,
}: PublishedPlace): Abstract['session'] {
  return { id: session_id, title, room, starts_at: toIso(from), ends_at: toIso(to), number }
}
