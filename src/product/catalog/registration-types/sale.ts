import type { Event } from '#product/catalog/events/schemas.ts'
import type { RegistrationType } from './schemas.ts'

/** The sale state of a type. `ready` means that it will be on sale once its event is published. */
export type SaleState = 'on' | 'ready' | 'soldOut' | 'later' | 'ended' | 'off'

/** @param now in milliseconds of the clock */
export function saleStateOf(type: RegistrationType, status: Event['status'], now: number): SaleState {
  const { active, available, sales_start: start, sales_end: end } = type
  if (!active || status === 'cancelled' || status === 'completed') return 'off'
  if (available <= 0) return 'soldOut'
  if (end !== null && now >= Date.parse(end)) return 'ended'
  if (start !== null && now < Date.parse(start)) return 'later'
  return status === 'draft' ? 'ready' : 'on'
}
