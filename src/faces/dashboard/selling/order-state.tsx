import { Pill } from '#machinery/web/components/parts.tsx'
import type { Order } from '#product/selling/orders/schemas.ts'
import type { Texts } from '#texts/texts.ts'

const TONES = { confirmed: 'good', pending: 'warn', failed: 'bad', cancelled: 'off' } as const

/** Shows the state of an order. */
export function OrderState({
  order: { status, waits_for },
  texts,
}: {
  order: Pick<Order, 'status' | 'waits_for'>
  texts: Texts
}) {
  const { states } = texts.checkout
  const text =
    waits_for === 'answer'
      ? states.offered
      : waits_for === 'payment'
        ? texts.payment.state.pending
        : states[status]
  return <Pill tone={TONES[status]}>{text}</Pill>
}
