import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { MAX_AMOUNT } from '#base/money.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { CodeRow } from './store.ts'

const MIN_CODE = 3
export const MAX_CODE = 40
export const MAX_NOTE = 200
export const MAX_TICKETS = 1_000_000

/** Surrounding white space is dropped. Codes are compared by `codeKey`. */
export const codeText = v.pipe(
  v.string(says('string')),
  v.trim(),
  v.regex(/^[A-Za-z0-9_-]{3,40}$/, says('code', { min: MIN_CODE, max: MAX_CODE })),
)

/** Returns the form of a code that is compared. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}

export const codeNote = fields.text(MAX_NOTE)

const maybeInstant = v.nullable(fields.instant)

/** The fields of a code that an organizer sets. After parsing, instants are in milliseconds. */
export const codeFields = {
  code: codeText,
  /** The percentage off the price of each ticket. If this and `amount` are null, the code only shows hidden types. */
  percent: v.nullable(fields.integer(1, 100)),
  /** The amount off the price of each ticket, in minor units. */
  amount: v.nullable(fields.integer(1, MAX_AMOUNT)),
  /** The types that the code applies to. Null means all types, also future ones. */
  registration_type_ids: v.nullable(v.array(fields.uuid)),
  valid_from: maybeInstant,
  valid_until: maybeInstant,
  /** The most tickets that may use the code. Null means any number. */
  max_tickets: v.nullable(fields.integer(1, MAX_TICKETS)),
  active: fields.yesOrNo,
  note: v.nullable(codeNote),
}

type Stated = { [Name in keyof typeof codeFields]: v.InferOutput<(typeof codeFields)[Name]> }

export type NewCode = Stated

export interface Code extends Omit<Stated, 'valid_from' | 'valid_until'> {
  id: string
  event_id: string
  valid_from: string | null
  valid_until: string | null
  /** The number of tickets that have the code and are not void. */
  used: number
  created_at: number
}

/** @param typeIds the types that the event has, so that removed types are left out. Without it, they stay in */
export function presentCode(row: CodeRow, typeIds?: ReadonlySet<string>): Code {
  const { id, event_id, code, percent, amount, max_tickets, used, note, created_at } = row
  const ids = row.registration_type_ids === null ? null : (JSON.parse(row.registration_type_ids) as string[])
  return {
    ...{ id, event_id, code, percent, amount, max_tickets, used, note, created_at },
    registration_type_ids:
      typeIds === undefined || ids === null ? ids : ids.filter(each => typeIds.has(each)),
    valid_from: toIsoOrNull(row.valid_from),
    valid_until: toIsoOrNull(row.valid_until),
    active: row.active === 1,
  }
}
