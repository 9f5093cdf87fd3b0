import * as v from 'valibot'
import { says } from '../faults.ts'
import * as fields from '../fields.ts'
import { MAX_AMOUNT } from '../money.ts'
import { toIsoOrNull } from '../time.ts'
import type { CodeRow } from './store.ts'

const MIN_CODE = 3
export const MAX_CODE = 40
export const MAX_NOTE = 200
export const MAX_TICKETS = 1_000_000

/** White space around it is nobody's. It is compared through `codeKey`. */
export const codeText = v.pipe(
  v.string(says('string')),
  v.trim(),
  v.regex(/^[A-Za-z0-9_-]{3,40}$/, says('code', { min: MIN_CODE, max: MAX_CODE })),
)

/** What is compared of a code. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}

export const codeNote = fields.text(MAX_NOTE)

const maybeInstant = v.nullable(fields.instant)

/** What an organizer says of a code: instants in milliseconds, once they are read. */
export const codeFields = {
  code: codeText,
  /** Off the price of each ticket; of both none, where it only shows hidden types. */
  percent: v.nullable(fields.integer(1, 100)),
  /** In minor units, off the price of each ticket. */
  amount: v.nullable(fields.integer(1, MAX_AMOUNT)),
  /** For which types; null for all, those to come too. */
  registration_type_ids: v.nullable(v.array(fields.uuid)),
  valid_from: maybeInstant,
  valid_until: maybeInstant,
  /** The most tickets; null for any number. */
  max_tickets: v.nullable(fields.integer(1, MAX_TICKETS)),
  active: fields.yesOrNo,
  note: v.nullable(codeNote),
}

type Said = { [Name in keyof typeof codeFields]: v.InferOutput<(typeof codeFields)[Name]> }

export type NewCode = Said

export interface Code extends Omit<Said, 'valid_from' | 'valid_until'> {
  id: string
  event_id: string
  valid_from: string | null
  valid_until: string | null
  /** Tickets that have it, and are not void. */
  used: number
  created_at: number
}

/** @param typeIds the types that the event has: others were removed. Left out, nobody asks which they are */
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
