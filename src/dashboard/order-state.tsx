import type { Order } from '../orders/schemas.ts'
import { Pill } from '../web/components/parts.tsx'
import type { Texts } from '../web/texts/texts.ts'

const TONES = { confirmed: 'good', pending: 'warn', failed: 'bad', cancelled: 'off' } as const

/** How it stands with an order. */
export function OrderState({ order: { status }, texts }: { order: Pick<Order, 'status'>; texts: Texts }) {
  return <Pill tone={TONES[status]}>{texts.checkout.states[status]}</Pill>
}
