import { version } from '#base/version.ts'
import { errorBody } from '#machinery/http/errors.ts'
import { webhookEndpointSchema } from '#product/administration/webhooks/schemas.ts'
import { eventExample, eventSchema } from '#product/catalog/events/schemas.ts'
import {
  registrationTypeExample,
  registrationTypeSchema,
} from '#product/catalog/registration-types/schemas.ts'
import { checkInExample, checkInSchema } from '#product/entrance/check-ins/schemas.ts'
import {
  attendeeExample,
  attendeeSchema,
  checkedInAttendeeSchema,
} from '#product/guests/attendees/schemas.ts'
import { registrationSchema } from '#product/guests/registrations/schemas.ts'
import { abstractSchema } from '#product/programme/abstracts/schemas.ts'
import { monthlyReportSchema, registrationReportSchema } from '#product/reporting/reports/schemas.ts'
import { API_PATH, type PublicPage } from '../route.ts'
import { routes } from '../routes.ts'
import { buildOpenApi } from './openapi.ts'
import { EXAMPLE_REQUEST_ID } from './openapi-responses.ts'
import { publicRoutes } from './public-routes.ts'
import { describeGuide, describeWebhookGuide } from './reference/guide.ts'
import { describeWebhooks, exampleEnvelope } from './webhooks.ts'

/** A server that was started without flags has its API here. A description that no server sends uses this address. */
const DEFAULT_ADDRESS = `http://127.0.0.1:8080${API_PATH}`

/**
 * Returns the OpenAPI 3.1 description of this version of the API.
 *
 * @param apiUrl has the version in it; it is left out if no server is known
 */
export function describeApi(apiUrl?: string): Record<string, unknown> {
  // Commands for a shell quote the address. In the normal form of an address, only the quote itself is dangerous there.
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
      // The name has a letter beyond ASCII, so that the test vector shows that the bytes are what is signed.
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
 * Returns the public pages of a server.
 *
 * @param baseUrl the address of the server that clients use, if it is set
 * @param listeningUrl the address that the server listens on
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
