import { abstractSchema } from '../../abstracts/schemas.ts'
import { attendeeExample, attendeeSchema, checkedInAttendeeSchema } from '../../attendees/schemas.ts'
import { checkInExample, checkInSchema } from '../../checkins/schemas.ts'
import { eventExample, eventSchema } from '../../events/schemas.ts'
import { errorBody } from '../../http/errors.ts'
import { registrationTypeExample, registrationTypeSchema } from '../../registration-types/schemas.ts'
import { registrationSchema } from '../../registrations/schemas.ts'
import { monthlyReportSchema, registrationReportSchema } from '../../reports/schemas.ts'
import { version } from '../../version.ts'
import { webhookEndpointSchema } from '../../webhooks/schemas.ts'
import { routes } from '../routes.ts'
import { buildOpenApi } from './openapi.ts'
import { EXAMPLE_REQUEST_ID } from './openapi-responses.ts'
import { describeGuide, describeWebhookGuide } from './reference/guide.ts'
import { describeWebhooks, exampleEnvelope } from './webhooks.ts'

/** Where a server answers that was started without any flag. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:8080/v1'

/**
 * The OpenAPI 3.1 description of this version of the API.
 *
 * @param baseUrl with the version; by default that of the server which the description is read from
 */
export function describeApi(baseUrl?: string): Record<string, unknown> {
  // It is quoted in commands for a shell: an address in its normal form has only the quote to fear.
  const address = baseUrl === undefined ? undefined : new URL(baseUrl).href.replaceAll("'", '%27')
  return buildOpenApi({
    version,
    baseUrl: address ?? '/v1',
    description: describeGuide(address ?? DEFAULT_ADDRESS, {
      eventId: eventExample.id,
      registrationTypeId: registrationTypeExample.id,
      attendeeId: attendeeExample.id,
      error: problem => JSON.stringify(JSON.parse(errorBody(problem, EXAMPLE_REQUEST_ID)), null, 2),
    }),
    routes,
    webhooks: describeWebhooks('Webhooks'),
    resources: {
      Event: eventSchema,
      RegistrationType: registrationTypeSchema,
      Attendee: attendeeSchema,
      CheckedInAttendee: checkedInAttendeeSchema,
      Registration: registrationSchema,
      CheckIn: checkInSchema,
      Abstract: abstractSchema,
      RegistrationReport: registrationReportSchema,
      MonthlyReport: monthlyReportSchema,
      WebhookEndpoint: webhookEndpointSchema,
    },
    tags: {
      Events: 'What the organizer holds, and the types of registration that each event sells or gives away.',
      Registrations:
        'Importing, reading and cancelling registrations. Each has its buyer, and an attendee with a ticket for every place.',
      'Check-ins':
        'Admitting tickets at the door. A ticket is admitted once, whatever the number of scanners.',
      Abstracts: 'Reading what authors have submitted, and deciding on it.',
      Reports: 'Every registration of an event for a spreadsheet, and the sums of a month.',
      Description: 'What describes this API, for programs and for people. Needs no key.',
      // Letters beyond ASCII, so that the vector shows that it is the bytes which are signed.
      Webhooks: describeWebhookGuide(
        exampleEnvelope('checkin.created', {
          ...checkInExample,
          attendee: { ...checkInExample.attendee, name: 'Zoë' },
        }),
      ),
    },
  })
}
