import { abstractSchema } from './abstracts/schemas.ts'
import { attendeeSchema, checkedInAttendeeSchema } from './attendees/schemas.ts'
import { checkInSchema } from './checkins/schemas.ts'
import { eventSchema } from './events/schemas.ts'
import { buildOpenApi } from './http/openapi.ts'
import { registrationTypeSchema } from './registration-types/schemas.ts'
import { registrationSchema } from './registrations/schemas.ts'
import { monthlyReportSchema, registrationReportSchema } from './reports/schemas.ts'
import { routes } from './routes.ts'
import { version } from './version.ts'

/**
 * The OpenAPI 3.1 description of this version of the API.
 *
 * @param baseUrl with the version; by default that of the server which the description is read from
 */
export function describeApi(baseUrl = '/v1'): Record<string, unknown> {
  return buildOpenApi({
    version,
    baseUrl,
    routes,
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
    },
    tags: {
      Events: 'Events and their registration types.',
      Registrations: 'Importing, reading and cancelling registrations, with their attendees.',
      'Check-ins': 'Admitting tickets at the door.',
      Abstracts: 'Reading abstracts, and deciding them.',
      Reports: 'Exports and sums.',
      Description: 'What describes this API.',
    },
  })
}
