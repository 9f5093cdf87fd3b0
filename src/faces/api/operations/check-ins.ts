import * as v from 'valibot'
import { uuid } from '#base/fields.ts'
import { field } from '#base/resource.ts'
import * as rules from '#product/entrance/check-ins/rules.ts'
import {
  type CheckIn,
  checkInExample,
  checkInSchema,
  newCheckInSchema,
} from '#product/entrance/check-ins/schemas.ts'
import { answerPage, listExample, listQuery, listSchema } from '../lists.ts'
import { readRoute, writeRoute } from '../route.ts'

export const listCheckIns = readRoute({
  path: '/check-ins',
  operationId: 'listCheckIns',
  tag: 'Check-ins',
  summary: 'List check-ins',
  description: 'The check-ins of the account, newest first: those of this API and those of scanners.',
  scope: 'checkins:read',
  query: listQuery({ event_id: v.optional(field(uuid, 'Only check-ins of this event.')) }),
  answer: {
    status: 200,
    description: 'A page.',
    schema: listSchema(checkInSchema),
    example: listExample(checkInExample),
  },
  errors: ['invalid_cursor'],
  handle: (tx, call) => {
    const { event_id } = call.query
    return answerPage(call, 'check-ins', { event_id }, page => rules.list(tx, event_id, page))
  },
})

export const createCheckIn = writeRoute({
  path: '/check-ins',
  operationId: 'createCheckIn',
  tag: 'Check-ins',
  summary: 'Check a ticket in',
  description:
    'Admits one ticket, once. Send exactly one of `qr_code` and `attendee_id`. The mark is atomic, so that two scanners ' +
    'cannot admit the same ticket. Emits `checkin.created`.\n\n' +
    'The registration must be confirmed, the ticket not void and not checked in, and today must be a day of the ticket: ' +
    'within the times of its registration type, where they are set, else from the first day of the event to 06:00 after its ' +
    'last, in the time zone of the event. With `event_id`, it must be a ticket of this event.\n\n' +
    '409 `wrong_event` has the event of the ticket as `details.event_id`, and is told before anything else about the ticket; ' +
    '409 `already_checked_in` has `details.checked_in_at`; 422 `not_valid_today` has `details.valid_from` and ' +
    '`details.valid_until`.',
  scope: 'checkins:write',
  // A ticket has one check-in by UNIQUE (attendee_id).
  isGuarded: true,
  body: newCheckInSchema,
  bodyExample: { attendee_id: checkInExample.attendee_id, event_id: checkInExample.event_id },
  answer: { status: 201, description: 'The check-in.', schema: checkInSchema, example: checkInExample },
  errors: [
    'not_found',
    'wrong_event',
    'registration_cancelled',
    'registration_not_confirmed',
    'ticket_voided',
    'already_checked_in',
    'invalid_qr_code',
    'not_valid_today',
  ],
  action: 'check_in.create',
  target: 'attendee',
  targetOf: (checkIn: CheckIn) => checkIn.attendee_id,
  prepare: (reader, { accountId, body }) => rules.prepare(reader, accountId, body),
  handle: (tx, call, verified) => rules.create(tx, call.body, 'api', verified),
})
