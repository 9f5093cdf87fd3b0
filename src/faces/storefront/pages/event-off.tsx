import type { OrderProps } from './order-props.ts'

/** Returns whether an event was cancelled, which its visitors with a link to an order are told before all else. */
export function isOff({ status }: OrderProps['event']): boolean {
  return status === 'cancelled'
}

/** Says what a cancelled event means for an order that stands: for its tickets, and for the money. */
export function OffNote({ order, money, organizer, voice }: OrderProps) {
  const { off } = voice.texts.checkout
  if (order.status === 'pending') return <p>{order.amount_total === 0 ? off.pending : off.unpaid}</p>
  const isPaid = money?.payments.some(({ received }) => (received ?? 0) > 0) ?? false
  const goesBack = money?.refunds.some(({ status }) => status !== 'dropped')
  return (
    <>
      <p>{off.tickets}</p>
      {isPaid && !goesBack && <p>{off.notBack(organizer.name)}</p>}
      {money === undefined && <p>{off.free}</p>}
    </>
  )
}
