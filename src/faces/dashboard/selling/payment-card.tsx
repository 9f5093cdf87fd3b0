import { printCreditorReference } from '#base/creditor-reference.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Banner, ButtonLink } from '#machinery/web/components/parts.tsx'
import { may } from '#product/administration/users/roles.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { isToDecide } from '#product/selling/payments/amounts.ts'
import { isMarkable } from '#product/selling/payments/rules.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'

interface Props {
  order: OrderDetails
  payments: readonly Payment[]
  request: EventRequest
}

/** Shows what is to be paid for an order, and what a member decides about it. It renders nothing if there is neither. */
export function PaymentCard({ order, payments, request }: Props) {
  const { texts, format } = request.voice
  const waits = order.waits_for === 'payment'
  const shown = payments.filter(payment => isShown(payment, order))
  if (!waits && shown.length === 0) return null
  return (
    <section class="card stack" aria-labelledby="to-pay">
      <h2 id="to-pay">{texts.payments.title}</h2>
      {waits && !payments.some(({ ended_at }) => ended_at === null) && <p>{texts.payments.notChosen}</p>}
      {shown.map(payment => (
        <ToPay key={payment.id} payment={payment} request={request} />
      ))}
      {waits && order.expires_at !== null && (
        <p class="quiet">{texts.payments.until(format.dateTime(order.expires_at))}</p>
      )}
    </section>
  )
}

/** Returns whether a payment is shown. Of ended payments, it shows those whose money may still come. */
function isShown(payment: Payment, { status, amount_total }: OrderDetails): boolean {
  if (payment.ended_at === null || isToDecide(payment)) return true
  return isMarkable(payment) && amount_total > 0 && status !== 'confirmed'
}

function ToPay({ payment, request }: { payment: Payment; request: EventRequest }) {
  const { event, member, voice } = request
  const { payments: texts, payment: ways } = voice.texts
  const { format } = voice
  const { currency, amount, received, reference, ended_at } = payment
  const to = (what: string) => paths.ofPayment(event.id, payment.id, what)
  const isOther = isToDecide(payment)
  const mark = ended_at !== null ? texts.late : received === null ? texts.paid : texts.rest
  return (
    <div class="stack">
      <div>
        <bdi>{texts.waits(format.money(amount, currency), ways.names[payment.method])}</bdi>
        {reference !== null && (
          <div class="small quiet">
            {texts.reference} {printCreditorReference(reference)}
          </div>
        )}
        {ended_at !== null && <div class="small quiet">{texts.ended}</div>}
      </div>
      {isOther && (
        <Banner tone="warn">
          <p>
            {texts.differs(format.money(received ?? 0, currency), format.money(amount, currency))}{' '}
            {texts.differsAbout}
          </p>
        </Banner>
      )}
      {may(member.role, 'payments') && (
        <div class="row">
          {isMarkable(payment) && (
            <ButtonLink href={to('paid')} main={ended_at === null && !isOther}>
              {mark}
            </ButtonLink>
          )}
          {isOther && <ButtonLink href={to('accept')}>{texts.accept}</ButtonLink>}
          {isOther && <ButtonLink href={to('return')}>{texts.giveBack}</ButtonLink>}
        </div>
      )}
    </div>
  )
}
