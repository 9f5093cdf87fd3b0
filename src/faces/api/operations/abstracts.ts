import * as v from 'valibot'
import { oneOf, uuid } from '#base/fields.ts'
import { field } from '#base/resource.ts'
import * as rules from '#product/programme/abstracts/rules.ts'
import {
  abstractExample,
  abstractSchema,
  decidedAbstractExample,
  decisionSchema,
} from '#product/programme/abstracts/schemas.ts'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'
import { decideByProgram } from '#product/programme/decisions/decide-by-program.ts'
import { answerPage, listExample, listQuery, listSchema } from '../lists.ts'
import { readRoute, writeRoute } from '../route.ts'

export const listAbstracts = readRoute({
  path: '/abstracts',
  operationId: 'listAbstracts',
  tag: 'Abstracts',
  summary: 'List abstracts',
  description:
    'The abstracts of the account, newest first, with their authors and the latest decision. Those that their authors have ' +
    'withdrawn are left out; `withdrawn=true` lists them, and no others.',
  scope: 'abstracts:read',
  query: listQuery({
    event_id: v.optional(field(uuid, 'Only abstracts of this event.')),
    status: v.optional(field(oneOf(abstractStatuses), 'Only abstracts in this state.')),
    withdrawn: v.optional(
      field(
        oneOf(['true', 'false']),
        'Whether to list the abstracts that were withdrawn, or those that stand.',
      ),
    ),
  }),
  answer: {
    status: 200,
    description: 'A page.',
    schema: listSchema(abstractSchema),
    example: listExample(abstractExample),
  },
  errors: ['invalid_cursor'],
  handle: (tx, call) => {
    const { event_id, status } = call.query
    const withdrawn = call.query.withdrawn === 'true' ? 'true' : undefined
    const filters = { event_id, status, withdrawn }
    return answerPage(call, 'abstracts', filters, page =>
      rules.list(tx, { event_id, status, withdrawn: withdrawn && true }, page),
    )
  },
})

export const getAbstract = readRoute({
  path: '/abstracts/{id}',
  operationId: 'getAbstract',
  tag: 'Abstracts',
  summary: 'Read an abstract',
  description: 'One abstract, with its authors and the latest decision.',
  scope: 'abstracts:read',
  answer: { status: 200, description: 'The abstract.', schema: abstractSchema, example: abstractExample },
  errors: ['not_found'],
  handle: (tx, call) => rules.get(tx, call.params.id),
})

export const decideAbstract = writeRoute({
  path: '/abstracts/{id}/decision',
  operationId: 'decideAbstract',
  tag: 'Abstracts',
  summary: 'Decide an abstract',
  description:
    'Records a decision, which becomes the status, from any state. It may be changed later: send another one. The note is ' +
    'replaced too. The contact of the abstract is told by mail that it is accepted or rejected, with the note, unless the settings ' +
    'of the event say otherwise; the same decision with the same note and kind, sent again, mails nobody once more. Every decision is ' +
    'written to the access log of the account. Emits `abstract.decided`.',
  scope: 'abstracts:write',
  body: decisionSchema,
  bodyExample: { decision: 'accepted', note: 'A talk of twenty minutes.' },
  answer: {
    status: 200,
    description: 'The decided abstract.',
    schema: abstractSchema,
    example: decidedAbstractExample,
  },
  errors: ['not_found', 'abstract_withdrawn'],
  action: 'abstract.decide',
  target: 'abstract',
  detailsOf: ({ decision }) => ({ decision }),
  handle: (tx, call) => decideByProgram(tx, call.params.id, call.body),
})
