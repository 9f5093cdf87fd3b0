import type { Problem } from '#base/problem.ts'
import type { SentForm } from '#machinery/web/forms/form.ts'
import type { Filled } from './order-form.ts'
import type { PublicEvent } from './view-page.tsx'

/** The visitor sent this form for a basket that exists. */
export interface Sent extends Filled {
  found: PublicEvent
  body: URLSearchParams
  form: SentForm
  /** It is set if something in the basket is sold out meanwhile. */
  soldOut: Problem | undefined
}

/** After these Problems, the buyer reviews the same order once more. */
export const SHOWN_AGAIN = [
  'form_expired',
  'seen_changed',
  'method_not_offered',
  'payment_paused',
  'payment_needed',
]

export type Values = Readonly<Record<string, unknown>>
