import * as v from 'valibot'
import { count, currency, id, instant, minorUnits } from '../resource.ts'

/** The registration report as JSON: one row an attendee, keyed by column. */
export const registrationReportSchema = v.object({
  object: v.literal('registration_report'),
  event_id: id,
  generated_at: instant,
  columns: v.pipe(v.array(v.string()), v.metadata({ description: 'The keys of each row, in their order.' })),
  data: v.array(v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])))),
})

const reason = v.object({
  code: v.picklist(['not_reported', 'depends_on_unknown']),
  message: v.string(),
})

const figure = v.pipe(
  v.number(),
  v.integer(),
  v.metadata({ description: 'Minor units of `currency`; null when it is not known, with its reason.' }),
)

export const monthlyRowSchema = v.object({
  event_id: id,
  event_title: v.string(),
  currency,
  registrations: count,
  tickets_by_type: v.array(v.object({ registration_type_id: id, name: v.string(), tickets: count })),
  gross: minorUnits,
  service_fee: minorUnits,
  processor_fee: v.nullable(figure),
  refunds: minorUnits,
  net: v.nullable(figure),
  check_ins: count,
  reasons: v.object({ processor_fee: v.optional(reason), net: v.optional(reason) }),
})

/** The sums of a month. */
export const monthlyReportSchema = v.object({
  object: v.literal('monthly_report'),
  month: v.pipe(v.string(), v.metadata({ pattern: '^\\d{4}-\\d{2}$' })),
  timezone: v.pipe(v.string(), v.metadata({ description: "The account's, an IANA name." })),
  complete: v.pipe(v.boolean(), v.metadata({ description: 'The month is over, and every figure is known.' })),
  data: v.array(monthlyRowSchema),
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
