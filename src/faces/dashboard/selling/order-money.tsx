import type { ComponentChildren } from 'preact'
import { printCreditorReference } from '#base/creditor-reference.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Facts, Money, Pill, PostButton, Time } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { may } from '#product/administration/users/roles.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import type { Dispute } from '#product/selling/payments/disputes.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import { mayDrop } from '#product/selling/payments/refund-decisions.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Payment, Refund } from '#product/selling/payments/schemas.ts'

/** The money of an order: what was paid, what was returned, and what is left. Amounts are in minor units. */
export interface OrderMoney {
  payments: readonly Payment[]
  refunds: readonly Refund[]
  balance: ledger.Balance
  /** The amount that can still be refunded. */
  left: number
  disputes: readonly Dispute[]
}

export async function readMoney(tx: ReadTx, orderId: string): Promise<OrderMoney> {
  return {
    payments: await payments.listByOrder(tx, orderId),
    refunds: await refunds.listByOrder(tx, orderId),
    balance: ledger.balanceOf(await ledger.list(tx, { orderId })),
    left: await refunds.leftOf(tx, orderId),
    disputes: await disputes.listByOrder(tx, orderId),
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
              <PaymentItem key={payment.id} payment={payment} request={request} />
            ))}
          </ul>
        </>
      )}
      {money.disputes.length > 0 && (
        <>
          <h3>{texts.disputes}</h3>
          <ul class="stack">
            {money.disputes.map(dispute => (
              <DisputeItem key={dispute.id} dispute={dispute} request={request} />
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
  const owed = money.refunds
    .filter(({ status }) => status !== 'done' && status !== 'dropped')
    .reduce((sum, { amount }) => sum + amount, 0)
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

function PaymentItem({ payment, request }: { payment: Payment; request: EventRequest }) {
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
function DisputeItem({ dispute, request }: { dispute: Dispute; request: EventRequest }) {
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
      {is_fee_foreign && <div class="small">{texts.troubles.fee_currency}</div>}
    </li>
  )
}

/** Lists refunds, each with its state and what a member may do. */
export function RefundList({
  refunds: listed,
  request,
}: {
  refunds: readonly Refund[]
  request: EventRequest
}) {
  const { voice, event, member } = request
  const { texts, format } = voice
  return (
    <ul class="stack">
      {listed.map(refund => (
        <li key={refund.id}>
          <div class="row">
            <span>
              <Money amount={refund.amount} currency={refund.currency} format={format} /> ·{' '}
              {texts.refunds.methods[refund.method]}
            </span>
            <RefundState refund={refund} voice={voice} />
          </div>
          <div class="small quiet">
            <Time at={refund.created_at} format={format} /> · {texts.refunds.reasons[refund.reason]}
          </div>
          {refund.note !== null && (
            <div class="small">
              <bdi>{refund.note}</bdi>
            </div>
          )}
          {may(member.role, 'refunds') && <RefundActions refund={refund} eventId={event.id} voice={voice} />}
        </li>
      ))}
    </ul>
  )
}

const REFUND_TONES: Readonly<Record<Refund['status'], Tone | 'off'>> = {
  requested: 'warn',
  pending: 'warn',
  requires_action: 'warn',
  done: 'good',
  failed: 'bad',
  dropped: 'off',
}

/** Shows the state of a refund, and what blocks it. */
export function RefundState({ refund, voice }: { refund: Refund; voice: Voice }) {
  const { refunds: texts } = voice.texts
  const { status, trouble, is_by_hand: isByHand } = refund
  const isOver = status === 'done' || status === 'failed' || status === 'dropped'
  const isStuck = trouble !== null && !isOver
  const state = isOver ? status : isByHand ? 'byHand' : isStuck ? 'stuck' : status
  return (
    <>
      <Pill tone={isStuck ? 'bad' : REFUND_TONES[status]}>{texts.states[state]}</Pill>
      {trouble !== null && trouble !== 'failed' && <span class="small">{texts.stuck(trouble)}</span>}
    </>
  )
}

/** Shows what a member can do about a refund, as `refund-decisions.ts` allows it. */
export function RefundActions({
  refund,
  eventId,
  voice,
  from,
}: {
  refund: Refund
  eventId: string
  voice: Voice
  /** With `owed`, the actions lead back to the list of all refunds. */
  from?: 'owed'
}) {
  const { refunds: texts } = voice.texts
  const { id, status, trouble, is_by_hand: isByHand } = refund
  if (status === 'done' || status === 'dropped') return null
  const mayRetry = !isByHand && (status === 'failed' || trouble !== null)
  const mayMark = isByHand || status === 'failed'
  const isDroppable = mayDrop(refund)
  if (!mayRetry && !mayMark && !isDroppable) return null
  const amount = voice.format.money(refund.amount, refund.currency)
  const fields = from === undefined ? {} : { from }
  return (
    <div class="row">
      {mayRetry && (
        <PostButton
          action={paths.refundAction(eventId, id, 'retry')}
          fields={fields}
          label={texts.retryOf(amount)}
        >
          {texts.retry}
        </PostButton>
      )}
      {mayMark && (
        <PostButton
          action={paths.refundAction(eventId, id, 'paid-back')}
          fields={fields}
          label={texts.paidBackOf(amount)}
        >
          {texts.paidBack}
        </PostButton>
      )}
      {isDroppable && (
        <ButtonLink href={paths.refundAction(eventId, id, 'drop')} label={texts.dropOf(amount)} isDestructive>
          {texts.drop}
        </ButtonLink>
      )}
    </div>
  )
}
