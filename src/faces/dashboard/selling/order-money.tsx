import type { ComponentChildren } from 'preact'
import { printCreditorReference } from '#base/creditor-reference.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Facts, Money, Pill, Time } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import { may } from '#product/administration/users/roles.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { findStripe, type StripeConnection } from '#product/selling/payments/connections.ts'
import { isToDecide } from '#product/selling/payments/dispute-decisions.ts'
import type { Dispute } from '#product/selling/payments/disputes.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { isOwed, type Payment, type Refund } from '#product/selling/payments/schemas.ts'
import { type ShownAtStripe, stripeUrl } from '#product/selling/payments/stripe/dashboard-links.ts'
import type { Texts } from '#texts/texts.ts'
import { RefundList } from './refund-list.tsx'

/** The money of an order: what was paid, what was returned, and what is left. Amounts are in minor units. */
export interface OrderMoney {
  payments: readonly Payment[]
  refunds: readonly Refund[]
  balance: ledger.Balance
  /** The amount that can still be refunded. */
  left: number
  disputes: readonly Dispute[]
  /** The Stripe account that the organization is connected to. It is undefined if there is none. */
  stripe: StripeConnection | undefined
}

export async function readMoney(tx: ReadTx, orderId: string): Promise<OrderMoney> {
  return {
    payments: await payments.listByOrder(tx, orderId),
    refunds: await refunds.listByOrder(tx, orderId),
    balance: ledger.balanceOf(await ledger.list(tx, { orderId })),
    left: await refunds.leftOf(tx, orderId),
    disputes: await disputes.listByOrder(tx, orderId),
    stripe: await findStripe(tx),
  }
}

interface SectionProps {
  order: OrderDetails
  money: OrderMoney
  request: EventRequest
}

/** Leads to the refund form if there are tickets to void or money to return. */
export function RefundLink({ order, money, request: { event, member, voice } }: SectionProps) {
  if (!may(member.role, 'refunds') || (order.status !== 'confirmed' && money.left === 0)) return null
  return <ButtonLink href={paths.refundOrder(event.id, order.id)}>{voice.texts.refunds.open}</ButtonLink>
}

/** Shows the money of an order. It renders nothing if the order costs nothing and no money came. */
export function MoneySection({ order, money, request }: SectionProps) {
  const { payments: made, refunds: back } = money
  if (order.amount_total === 0 && made.length === 0 && money.balance.paid === 0) return null
  const { refunds: texts } = request.voice.texts
  return (
    <section class="card stack" aria-labelledby="money">
      <h2 id="money">{texts.title}</h2>
      <Sums order={order} money={money} request={request} />
      {made.length > 0 && (
        <>
          <h3>{texts.payments}</h3>
          <ul class="stack">
            {made.map(payment => (
              <PaymentItem key={payment.id} payment={payment} stripe={money.stripe} request={request} />
            ))}
          </ul>
        </>
      )}
      {money.disputes.length > 0 && (
        <>
          <h3>{texts.disputes}</h3>
          <ul class="stack">
            {money.disputes.map(dispute => (
              <DisputeItem key={dispute.id} dispute={dispute} stripe={money.stripe} request={request} />
            ))}
          </ul>
        </>
      )}
      {back.length > 0 && (
        <>
          <h3>{texts.refunds}</h3>
          <RefundList refunds={back} request={request} />
        </>
      )}
    </section>
  )
}

function Sums({ order: { currency }, money, request }: SectionProps) {
  const { texts: all, format } = request.voice
  const { refunds: texts } = all
  const { paid, refunded, disputed, fee } = money.balance
  const say = (amount: number) => <Money amount={amount} currency={currency} format={format} />
  const owed = money.refunds.filter(isOwed).reduce((sum, { amount }) => sum + amount, 0)
  const facts: [string, ComponentChildren][] = [[texts.paid, say(paid)]]
  if (paid > 0) facts.push([texts.fee, fee === null ? texts.unknownFee : say(fee)])
  if (refunded > 0) facts.push([texts.back, say(refunded)])
  if (owed > 0) facts.push([texts.owed, say(owed)])
  if (disputed !== 0) facts.push([texts.disputed, say(disputed)])
  if (paid > 0) facts.push([texts.left, say(money.left)])
  return <Facts facts={facts} />
}

const PAYMENT_TONES: Readonly<Record<Payment['status'], Tone | 'off'>> = {
  created: 'warn',
  pending: 'warn',
  confirmed: 'good',
  failed: 'bad',
  cancelled: 'off',
}

interface ItemProps {
  stripe: OrderMoney['stripe']
  request: EventRequest
}

/** Leads to Stripe's own page of something that is there. */
function AtStripe({
  stripe,
  what,
  id,
  texts,
}: {
  stripe: OrderMoney['stripe']
  what: ShownAtStripe
  id: string
  texts: Texts
}) {
  if (stripe === undefined) return null
  return (
    <div class="small">
      <a href={stripeUrl(stripe, what, id)} rel="noopener noreferrer">
        {texts.refunds.atStripe[what]}
      </a>
    </div>
  )
}

function PaymentItem({ payment, stripe, request }: ItemProps & { payment: Payment }) {
  const { texts: all, format } = request.voice
  const { refunds: texts } = all
  const { amount, received, currency, trouble, reference, next_method: next } = payment
  return (
    <li>
      <div class="row">
        <span>
          <Money amount={amount} currency={currency} format={format} /> · {texts.methods[payment.method]}
        </span>
        <Pill tone={PAYMENT_TONES[payment.status]}>{texts.paymentStates[payment.status]}</Pill>
      </div>
      <div class="small quiet">
        <Time at={payment.created_at} format={format} />
        {reference !== null && ` · ${texts.reference} ${printCreditorReference(reference)}`}
        {received !== null && received !== amount && ` · ${texts.came(format.money(received, currency))}`}
      </div>
      {next !== null && <div class="small">{texts.leftFor(texts.methods[next])}</div>}
      {trouble !== null && <div class="small">{texts.troubles[trouble] ?? texts.stuck(trouble)}</div>}
      {payment.method === 'stripe' && payment.charge_id !== null && (
        <AtStripe stripe={stripe} what="payments" id={payment.charge_id} texts={all} />
      )}
    </li>
  )
}

const DISPUTE_TONES: Readonly<Record<Dispute['status'], Tone | 'off'>> = {
  warning: 'warn',
  needs_response: 'bad',
  under_review: 'warn',
  won: 'good',
  lost: 'bad',
  closed: 'off',
}

/** Shows a dispute. The organizer answers it at the processor, where the evidence goes. */
function DisputeItem({ dispute, stripe, request }: ItemProps & { dispute: Dispute }) {
  const { texts: all, format } = request.voice
  const { refunds: texts } = all
  const { amount, currency, status, reason, opened_at, due_by, is_fee_foreign } = dispute
  const isOpen = status === 'needs_response' || status === 'warning'
  return (
    <li>
      <div class="row">
        <span>
          <Money amount={amount} currency={currency} format={format} /> ·{' '}
          {texts.disputeReasons[reason] ?? <bdi>{reason}</bdi>}
        </span>
        <Pill tone={DISPUTE_TONES[status]}>{texts.disputeStates[status]}</Pill>
      </div>
      <div class="small quiet">
        <Time at={opened_at} format={format} />
      </div>
      {isOpen && due_by !== null && <div class="small">{texts.answerBy(format.dateTime(due_by))}</div>}
      {dispute.decision !== null && <div class="small">{texts.disputeDecisions[dispute.decision]}</div>}
      {is_fee_foreign && <div class="small">{texts.troubles.fee_currency}</div>}
      <div class="stack">
        {isToDecide(dispute) && may(request.member.role, 'refunds') && (
          <div class="row">
            <ButtonLink
              href={paths.dispute(dispute.event_id, dispute.order_id, dispute.id)}
              label={texts.decideOf(format.money(amount, currency))}
            >
              {texts.decide}
            </ButtonLink>
          </div>
        )}
        <AtStripe stripe={stripe} what="disputes" id={dispute.id} texts={all} />
      </div>
    </li>
  )
}
