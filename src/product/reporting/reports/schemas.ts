import * as v from 'valibot'
import { count, currency, field, id, instant, minorUnits } from '#base/resource.ts'

/** Describes the registration report as JSON, with one row for each attendee, keyed by column. */
export const registrationReportSchema = v.object({
  object: v.literal('registration_report'),
  event_id: field(id, 'The event.'),
  generated_at: field(instant, 'When the report was begun: what came later is not in it.'),
  columns: field(v.array(v.string()), 'The keys of each row, in their order.'),
  data: field(
    v.array(v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])))),
    'One row for each attendee. An answer that was not given is null.',
  ),
})

const reason = v.object({
  code: field(
    v.picklist(['not_reported', 'depends_on_unknown']),
    'Nobody reported it for some registration; or it is made of a figure that is not known.',
  ),
  message: field(v.string(), 'For people.'),
})

const figure = v.pipe(
  v.number(),
  v.integer(),
  v.metadata({ description: 'Minor units of `currency`; null when it is not known, with its reason.' }),
)

export const monthlyRowSchema = v.object({
  event_id: field(id, 'The event.'),
  event_title: field(v.string(), 'Its title.'),
  currency,
  registrations: field(count, 'Registrations confirmed in the month, also those cancelled later.'),
  tickets_by_type: field(
    v.array(
      v.object({
        registration_type_id: field(id, 'The registration type.'),
        name: field(v.string(), 'Its name.'),
        tickets: field(count, 'Tickets of those registrations.'),
      }),
    ),
    'Their tickets, for each type that has any.',
  ),
  gross: field(minorUnits, 'What those registrations were charged, in minor units (cents) of `currency`.'),
  service_fee: field(minorUnits, 'The fee of the service for them. A refund does not give it back.'),
  processor_fee: field(v.nullable(figure), 'The fee of the payment processor; null when it is not known.'),
  refunds: field(minorUnits, 'What was refunded in the month, whenever it was paid.'),
  net: field(v.nullable(figure), '`gross` less the fees and `refunds`; null when a fee is not known.'),
  check_ins: field(count, 'Tickets admitted in the month.'),
  reasons: field(
    v.object({
      processor_fee: v.optional(field(reason, 'Why `processor_fee` is null.')),
      net: v.optional(field(reason, 'Why `net` is null.')),
    }),
    'Why a figure is null; empty when all are known.',
  ),
})

/** Holds the sums of a month. */
export const monthlyReportSchema = v.object({
  object: v.literal('monthly_report'),
  month: v.pipe(v.string(), v.metadata({ pattern: '^\\d{4}-\\d{2}$', description: 'The month.' })),
  timezone: field(v.string(), 'The time zone of the account, an IANA name: it says when the month begins.'),
  complete: field(v.boolean(), 'The month is over, and every figure is known.'),
  data: field(v.array(monthlyRowSchema), 'One row for each event that has any figure but zero.'),
})

export type MonthlyRow = v.InferOutput<typeof monthlyRowSchema>
export type MonthlyReport = v.InferOutput<typeof monthlyReportSchema>

export const monthlyReportExample: MonthlyReport = {
  object: 'monthly_report',
  month: '2026-10',
  timezone: 'Europe/Madrid',
  complete: true,
  data: [
    {
      event_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
      event_title: 'Spring Meeting',
      currency: 'EUR',
      registrations: 2,
      tickets_by_type: [
        { registration_type_id: '0197a0b4-3c60-7a02-8c44-1f0e9d8c7b6a', name: 'Standard', tickets: 3 },
      ],
      gross: 15000,
      service_fee: 465,
      processor_fee: 350,
      refunds: 0,
      net: 14185,
      check_ins: 0,
      reasons: {},
    },
  ],
}

const columns = {
  registration_id: '0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5c',
  status: 'confirmed',
  source: 'api',
  event_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
  registration_type_id: '0197a0b4-3c60-7a02-8c44-1f0e9d8c7b6a',
  registration_type_name: 'Standard',
  buyer_name: 'Grace',
  buyer_email: 'grace@example.org',
  quantity: 1,
  amount_subtotal: 5000,
  amount_total: 0,
  currency: 'EUR',
  created_at: '2026-11-01T10:00:00.000Z',
  confirmed_at: '2026-11-01T10:00:00.000Z',
  cancelled_at: null,
  attendee_id: '0197a0b4-4b11-7f3a-a5d2-6e7f8091a2b3',
  attendee_name: 'Grace',
  attendee_email: 'grace@example.org',
  seat: 'A1',
  checked_in: false,
  checked_in_at: null,
  voided: false,
  'answer:diet': 'vegan',
}

export const registrationReportExample = {
  object: 'registration_report',
  event_id: columns.event_id,
  generated_at: '2026-11-20T08:00:00.000Z',
  columns: Object.keys(columns),
  data: [columns],
}

export const registrationReportCsvExample = `${[Object.keys(columns), Object.values(columns)]
  .map(cells => cells.map(cell => `"${cell ?? ''}"`).join(','))
  .join('\r\n')}\r\n`
