import * as v from 'valibot'
import { makeFault, says } from '#base/faults.ts'
import { closedObject, oneOf, text } from '#base/fields.ts'
import { refusal } from '#machinery/tables/refusal.ts'

/** In characters, for the name of a column. */
const MAX_HEADER = 200
/** The most columns that are joined to one text. */
export const MAX_TOGETHER = 20

const column = v.nullable(text(MAX_HEADER, 1))
const columns = v.pipe(
  v.array(text(MAX_HEADER, 1), says('array')),
  v.maxLength(MAX_TOGETHER, says('list', { min: 0, max: MAX_TOGETHER })),
)

/**
 * The columns of a bank's file by field, with the names in its header. A mapping is small, and is kept for the next file. In a
 * file without a header, the columns are called `#1`, `#2` and so on. A name that occurs again is `Name (2)`.
 */
export const mappingSchema = closedObject({
  /** The date of the booking. */
  date: column,
  value_date: column,
  /** The amount with a sign, or without one beside `flag`. */
  amount: column,
  /** Two columns instead of `amount`: incoming and outgoing money. */
  credit: column,
  debit: column,
  /** Tells whether `amount` is a credit or a debit. */
  flag: column,
  currency: column,
  counterparty: columns,
  text: columns,
  /** The number of the booking at the bank. */
  bank_id: column,
  /** Tells whether the line was booked. Lines that wait or were called back are left out. */
  status: column,
  /** The order of day and month if the year comes last. If it is null, the dates of each file decide. */
  order: v.nullable(oneOf(['dmy', 'mdy'])),
  /** The decimal mark. If it is null, the amounts of each file decide. */
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

/** Returns the names of all columns to which a mapping refers. */
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
 * Checks that lines can be read by a given or a kept mapping, and returns it.
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
