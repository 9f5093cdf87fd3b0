import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { closedObject, oneOf, uuid } from '#base/fields.ts'
import { field } from '#base/resource.ts'
import { readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import {
  beginRegistrationReport,
  toCsvChunks,
  toJsonChunks,
} from '#product/reporting/reports/registration-report.ts'
import {
  monthlyReportExample,
  monthlyReportSchema,
  registrationReportCsvExample,
  registrationReportExample,
  registrationReportSchema,
} from '#product/reporting/reports/schemas.ts'
import { reportRoute } from '../route.ts'

export const getRegistrationReport = reportRoute({
  path: '/reports/registrations',
  operationId: 'getRegistrationReport',
  tag: 'Reports',
  summary: "Export an event's registrations",
  description:
    'One row an attendee, oldest registration first, with each form answer as `answer:<key>`. The CSV has a byte-order mark ' +
    'and cells that no spreadsheet takes for formulas. It is sent while it is read: a connection that breaks off means that ' +
    'the report is not whole.',
  scope: 'reports:read',
  query: closedObject({
    event_id: field(uuid, 'The event.'),
    format: v.optional(
      v.pipe(
        oneOf(['csv', 'json']),
        v.metadata({ default: 'json', description: 'CSV comes as a file to save.' }),
      ),
    ),
  }),
  answer: {
    status: 200,
    description: 'The report.',
    schema: registrationReportSchema,
    example: registrationReportExample,
    otherTypes: { 'text/csv': registrationReportCsvExample },
  },
  errors: ['not_found'],
  handle: async (reader, call) => {
    const { event_id: eventId, format } = call.query
    const report = await beginRegistrationReport(reader, call.accountId, eventId, call.receivedAt)
    if (format !== 'csv') return { type: 'application/json; charset=utf-8', chunks: toJsonChunks(report) }
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `registrations-${report.eventId}.csv`,
      chunks: toCsvChunks(report),
    }
  },
})

export const getMonthlyReport = reportRoute({
  path: '/reports/monthly',
  operationId: 'getMonthlyReport',
  tag: 'Reports',
  summary: 'Read the sums of a month',
  description:
    "Per event: registrations, tickets by type, gross, fees, refunds, net and check-ins of a month in the account's time zone. " +
    'A figure that is not known is null and comes with a reason.',
  scope: 'reports:read',
  query: closedObject({
    month: v.optional(
      v.pipe(
        v.string(says('string')),
        v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, says('month', { example: '2026-10' })),
        v.metadata({
          description:
            'The month, such as 2026-10; by default the current one in the time zone of the account.',
        }),
      ),
    ),
  }),
  answer: {
    status: 200,
    description: 'The sums.',
    schema: monthlyReportSchema,
    example: monthlyReportExample,
  },
  errors: ['not_found'],
  handle: async (reader, call) => ({
    json: await readMonthlyReport(reader, call.accountId, call.query.month, call.receivedAt),
  }),
})
