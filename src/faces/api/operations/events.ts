import * as rules from '#product/catalog/events/rules.ts'
import { eventExample, eventSchema } from '#product/catalog/events/schemas.ts'
import { answerPage, listExample, listQuery, listSchema } from '../lists.ts'
import { readRoute } from '../route.ts'

export const listEvents = readRoute({
  path: '/events',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'List events',
  description: 'The events of the account, newest first. Their ids are what most other operations ask for.',
  scope: 'events:read',
  query: listQuery({}),
  answer: {
    status: 200,
    description: 'A page.',
    schema: listSchema(eventSchema),
    example: listExample(eventExample),
  },
  errors: ['invalid_cursor'],
  handle: (tx, call) => answerPage(call, 'events', {}, async page => ({ rows: await rules.list(tx, page) })),
})

export const getEvent = readRoute({
  path: '/events/{id}',
  operationId: 'getEvent',
  tag: 'Events',
  summary: 'Read an event',
  description: 'One event of the account.',
  scope: 'events:read',
  answer: { status: 200, description: 'The event.', schema: eventSchema, example: eventExample },
  errors: ['not_found'],
  handle: (tx, call) => rules.get(tx, call.params.id),
})
