import * as v from 'valibot'
import { makeFault, says } from '../faults.ts'
import { closedObject, oneOf, text } from '../fields.ts'
import { refusal } from '../tables/refusal.ts'

/** In characters, of the name of a column. */
const MAX_HEADER = 200
/** Columns that are put together to one text. */
export const MAX_TOGETHER = 20

const column = v.nullable(text(MAX_HEADER, 1))
const columns = v.pipe(
  v.array(text(MAX_HEADER, 1), says('array')),
  v.maxLength(MAX_TOGETHER, says('list', { min: 0, max: MAX_TOGETHER })),
)

/**
 * Which column of a bank's file is what, by the names in its header: small, and kept for the next file. In a file without a header they are
 * called `#1`, `#2` and so on; a name that is there again, `Name (2)`.
 */
export const mappingSchema = closedObject({
  /** Of the booking. */
  date: column,
  value_date: column,
  /** Signed; or without a sign, beside `flag`. */
  amount: column,
  /** Two columns instead of `amount`: what came in, and what went out. */
  credit: column,
  debit: column,
  /** Which of credit and debit `amount` is. */
  flag: column,
  currency: column,
  counterparty: columns,
  text: columns,
  /** The number of the booking at the bank. */
  bank_id: column,
  /** Whether it was booked: lines that wait, or were called back, are left out. */
  status: column,
  /** Where the year comes last; null for what the dates of each file say. */
  order: v.nullable(oneOf(['dmy', 'mdy'])),
  /** Null for what the amounts of each file say. */
  decimal: v.nullable(oneOf([',', '.'])),
})

export type Mapping = v.InferOutput<typeof mappingSchema>

export const singleFields = [
  'date',
  'value_date',
  'amount',
  'credit',
  'debit',
  'flag',
  'currency',
  'bank_id',
  'status',
] as const

export const severalFields = ['counterparty', 'text'] as const

export type SingleField = (typeof singleFields)[number]

export const noMapping: Mapping = {
  ...(Object.fromEntries(singleFields.map(field => [field, null])) as Record<SingleField, null>),
  counterparty: [],
  text: [],
  order: null,
  decimal: null,
}

/** The names of all columns that a mapping speaks of. */
export function columnsOf(mapping: Mapping): string[] {
  const single = singleFields.map(field => mapping[field]).filter(name => name !== null)
  return [...new Set([...single, ...mapping.counterparty, ...mapping.text])]
}

export type Missing = 'date' | 'amount'

export function missingOf({ date, value_date, amount, credit, debit }: Mapping): Missing[] {
  return [
    ...((date ?? value_date) ? [] : (['date'] as const)),
    ...((amount ?? credit ?? debit) ? [] : (['amount'] as const)),
  ]
}

/**
 * A mapping that somebody says, or that was kept, as one that lines can be read by.
 *
 * @throws Problem invalid_parameter for `mapping.<field>`, with `details.fault`
 */
export function checkMapping(mapping: Mapping): Mapping {
  const [missing] = missingOf(mapping)
  if (missing !== undefined) throw refusal(`mapping.${missing}`, makeFault('required'))
  for (const field of ['credit', 'debit'] as const)
    if (mapping.amount !== null && mapping[field] !== null)
      throw refusal(`mapping.${field}`, makeFault('contradicts', { field: 'amount' }))
  if (mapping.flag !== null && mapping.amount === null) throw refusal('mapping.amount', makeFault('required'))
  return mapping
}
