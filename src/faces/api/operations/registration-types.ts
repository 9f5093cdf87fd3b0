import * as rules from '#product/catalog/registration-types/rules.ts'
import {
  registrationTypeExample,
  registrationTypeSchema,
} from '#product/catalog/registration-types/schemas.ts'
import { completeList, listExample, listSchema } from '../lists.ts'
import { readRoute } from '../route.ts'

export const listRegistrationTypes = readRoute({
  path: '/events/{id}/registration-types',
  operationId: 'listRegistrationTypes',
  tag: 'Events',
  summary: 'List the registration types of an event',
  description:
    'What can be registered for, with the price and how many tickets are left. All of them come at once, newest first, ' +
    'and those of one organization file in its order: `has_more` is always false.',
  scope: 'events:read',
  answer: {
    status: 200,
    description: 'All registration types of the event.',
    schema: listSchema(registrationTypeSchema),
    example: listExample(registrationTypeExample),
  },
  errors: ['not_found'],
  handle: async (tx, call) => completeList(await rules.listByEvent(tx, call.params.id)),
})
