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
import { API_PATH, type PublicPage } from '../route.ts'
import { routes } from '../routes.ts'
import { buildOpenApi } from './openapi.ts'
import { EXAMPLE_REQUEST_ID } from './openapi-responses.ts'
import { publicRoutes } from './public-routes.ts'
import { describeGuide, describeWebhookGuide } from './reference/guide.ts'
import { describeWebhooks, exampleEnvelope } from './webhooks.ts'

/** Where the API answers of a server that was started without any flag: for a description that is read from none. */
const DEFAULT_ADDRESS = `http://127.0.0.1:8080${API_PATH}`

/**
 * The OpenAPI 3.1 description of this version of the API.
 *
 * @param apiUrl with the version; left out where no server is known
 */
export function describeApi(apiUrl?: string): Record<string, unknown> {
  // It is quoted in commands for a shell: an address in its normal form has only the quote to fear.
  const address = apiUrl === undefined ? undefined : new URL(apiUrl).href.replaceAll("'", '%27')
  return buildOpenApi({
    version,
    baseUrl: address ?? API_PATH,
    description: describeGuide(address ?? DEFAULT_ADDRESS, {
      eventId: eventExample.id,
      registrationTypeId: registrationTypeExample.id,
      attendeeId: attendeeExample.id,
      error: problem => JSON.stringify(JSON.parse(errorBody(problem, EXAMPLE_REQUEST_ID)), null, 2),
    }),
    routes,
    publicRoutes,
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

/**
 * The public pages of a server.
 *
 * @param baseUrl the address of the server that clients use, where it was set
 * @param listeningUrl where the server listens
 */
export function publicPages(baseUrl: string | undefined, listeningUrl: string): PublicPage[] {
  const server = {
    apiUrl: baseUrl === undefined ? undefined : baseUrl + API_PATH,
    listeningUrl: listeningUrl + API_PATH,
    describe: describeApi,
  }
  return publicRoutes.map(({ path, type, headers, body }) => ({
    path,
    type,
    headers,
    body: () => body(server),
  }))
}
