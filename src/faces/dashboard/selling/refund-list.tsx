import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Money, Pill, PostButton, Time } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { may } from '#product/administration/users/roles.ts'
import { mayDrop } from '#product/selling/payments/refund-decisions.ts'
import { isOwed, type Refund } from '#product/selling/payments/schemas.ts'

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
  if (!isOwed(refund)) return null
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
