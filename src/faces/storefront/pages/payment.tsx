import { printCreditorReference } from '#base/creditor-reference.ts'
import { Banner, Facts } from '#machinery/web/components/parts.tsx'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import type { Method } from '#product/selling/payments/processor.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import { transferCode } from '#product/selling/payments/transfer-code.ts'
import type { Money } from '../order-view.ts'
import { inSpeech } from '../voice.ts'
import { METHOD, MethodChoice, PausedNote } from './method-choice.tsx'
import type { OrderProps } from './order-props.ts'

/** A page that waits for a change reloads after this many seconds. */
const SOON = 2

type PaidProps = OrderProps & { money: Money }

/** A buyer with `go` is on the way to the payment, and one with `paid` on the way back. */
export type Going = 'go' | 'paid' | undefined

/** Returns the open payment of an order. */
function openOf({ payments }: Money): Payment | undefined {
  return payments.find(({ ended_at }) => ended_at === null)
}

/** Makes the browser go on without a script: to the payment, or to the same page until the payment's state is known. */
export function Onward({ going, order, money }: OrderProps & { going: Going }) {
  if (money === undefined || order.waits_for !== 'payment') return null
  const open = openOf(money)
  if (open?.status !== 'created' || money.stopped.includes(open.method)) return null
  const isLeft = open.next_method !== null
  if (going === undefined && !isLeft) return null
  const to = going === 'go' && open.url !== null && !isLeft ? `0; url=${open.url}` : String(SOON)
  return <meta http-equiv="refresh" content={to} />
}

/** Shows how to pay for an order, while the order waits for payment. */
export function PaymentCard({ going, ...props }: OrderProps & { going: Going }) {
  const { order, money, voice } = props
  if (money === undefined || order.waits_for !== 'payment') return null
  const { texts, format } = voice
  const open = openOf(money)
  const until = format.dateTime(order.expires_at as string)
  return (
    <section class="card stack" aria-labelledby="payment">
      <h2 id="payment">{texts.payment.title}</h2>
      <p class="strong">{texts.payment.due(format.money(money.due, order.currency), until)}</p>
      {open === undefined ? (
        <Choose {...props} money={money} isAgain={money.payments.length > 0} />
      ) : (
        <Open {...props} money={money} payment={open} going={going} />
      )}
    </section>
  )
}

function Open({ payment, going, ...props }: PaidProps & { payment: Payment; going: Going }) {
  const { texts, format } = props.voice
  const { payment: say } = texts
  const money = (amount: number) => format.money(amount, payment.currency)
  if (payment.trouble === 'other_amount')
    return <PaymentNotice text={say.otherAmount(money(payment.received ?? 0))} />
  if (payment.method === 'transfer') return <Transfer {...props} payment={payment} />
  if (payment.method === 'door') return <AtDoor {...props} payment={payment} />
  if (payment.status === 'pending') return <PaymentNotice text={say.processing} />
  if (props.money.stopped.includes(payment.method)) return <Stopped {...props} payment={payment} />
  if (payment.next_method !== null)
    return <Left {...props} method={payment.method} next={payment.next_method} />
  if (going === 'paid') return <PaymentNotice text={say.checking} />
  return (
    <>
      {payment.url === null ? (
        <PaymentNotice text={say.preparing} isRefreshed={going === undefined} {...props} />
      ) : (
        <>
          {going === 'go' && <p role="status">{say.goesOn}</p>}
          <p>
            <a class="button main" href={payment.url}>
              {say.pay(money(payment.amount))}
            </a>
          </p>
        </>
      )}
      <Another {...props} current={payment} />
    </>
  )
}

/** Shows a payment that nobody can continue just now. It may already be paid, which only its processor knows. */
function Stopped({ payment, ...props }: PaidProps & { payment: Payment }) {
  const { payment: say } = props.voice.texts
  return (
    <>
      <Banner tone="warn">
        <p role="status">{say.stopped(say.names[payment.method])}</p>
      </Banner>
      {payment.next_method === null && <Another {...props} current={payment} />}
    </>
  )
}

/** Shows a payment that its processor ends, so that the buyer can choose another method and never pays twice. */
function Left({ method, next, speech, voice, path }: PaidProps & Record<'method' | 'next', Method>) {
  const { payment: say } = voice.texts
  return (
    <>
      <p role="status">{say.left(say.names[method], say.names[next])}</p>
      <form method="post" action={inSpeech(speech, `${path}/pay`)}>
        <input type="hidden" name={METHOD} value={method} />
        <button type="submit" class="button">
          {say.goBack(say.names[method])}
        </button>
      </form>
    </>
  )
}

function PaymentNotice({
  text,
  isRefreshed = false,
  ...props
}: Partial<OrderProps> & { text: string; isRefreshed?: boolean }) {
  return (
    <p role="status">
      {text}{' '}
      {isRefreshed && props.path !== undefined && props.speech !== undefined && (
        <a class="no-print" href={inSpeech(props.speech, `${props.path}?go`)}>
          {props.voice?.texts.payment.again}
        </a>
      )}
    </p>
  )
}

function Transfer({ payment, ...props }: PaidProps & { payment: Payment }) {
  const { money, voice, event } = props
  const { texts, format } = voice
  const { payment: say } = texts
  const { bank } = money
  const rest = payment.amount - (payment.received ?? 0)
  const reference = payment.reference ?? ''
  const code = bank && transferCode(bank, { amount: rest, currency: payment.currency, reference })
  return (
    <>
      {payment.received !== null && (
        <p>
          {say.partly(format.money(payment.received, payment.currency), format.money(rest, payment.currency))}
        </p>
      )}
      <p>{say.transferTo}</p>
      <Facts
        facts={[
          ...(bank === undefined
            ? []
            : ([
                [say.holder, <bdi key="h">{bank.holder}</bdi>],
                [say.account, <bdi key="a">{bank.account}</bdi>],
                ...(bank.code === null ? [] : [[say.code, <bdi key="c">{bank.code}</bdi>] as const]),
              ] as const)),
          [say.amount, format.money(rest, payment.currency)],
          [say.reference, <strong key="r">{printCreditorReference(reference)}</strong>],
        ]}
      />
      {bank?.note && (
        <p class="lines">
          <bdi>{bank.note}</bdi>
        </p>
      )}
      {code !== undefined && (
        <figure>
          <QrCode level="M" text={code} label={say.scan} isKept />
          <figcaption class="small quiet">{say.scan}</figcaption>
        </figure>
      )}
      <Another {...props} current={payment} event={event} />
    </>
  )
}

function AtDoor({ payment, ...props }: PaidProps & { payment: Payment }) {
  const { payment: say } = props.voice.texts
  return (
    <>
      <p>{say.atDoor}</p>
      <Facts
        facts={[[say.reference, <strong key="r">{printCreditorReference(payment.reference ?? '')}</strong>]]}
      />
      <Another {...props} current={payment} />
    </>
  )
}

/** Offers the methods other than the chosen one. */
function Another({ current, ...props }: PaidProps & { current: Payment }) {
  const { money, voice } = props
  const { offered, paused } = money.methods
  const others = offered.filter(method => method !== current.method)
  if (others.length === 0 || current.received !== null) return null
  return (
    <details>
      <summary>{voice.texts.payment.another}</summary>
      <Choose {...props} money={{ ...money, methods: { offered: others, paused } }} isAnother />
    </details>
  )
}

function Choose({
  money,
  speech,
  voice,
  path,
  isAgain = false,
  isAnother = false,
}: PaidProps & { isAgain?: boolean; isAnother?: boolean }) {
  const { texts } = voice
  const hasFailed = isAgain && money.payments.at(-1)?.status === 'failed'
  return (
    <form method="post" action={inSpeech(speech, `${path}/pay`)} class="stack">
      {hasFailed && (
        <Banner tone="warn">
          <p>{texts.payment.failed}</p>
        </Banner>
      )}
      <PausedNote methods={money.methods} texts={texts} isOrdered />
      <MethodChoice methods={money.methods} chosen={null} legend={texts.payment.how} texts={texts} />
      {money.methods.offered.length > 0 && (
        <p>
          <button type="submit" class={isAnother ? 'button' : 'button main'}>
            {isAnother ? texts.payment.chooseAnother : texts.payment.again}
          </button>
        </p>
      )}
    </form>
  )
}

/** Shows what was paid, and what is refunded. */
export function PaidNote({ order, money, voice }: OrderProps) {
  if (money === undefined) return null
  const { texts, format } = voice
  const say = (amount: number) => format.money(amount, order.currency)
  const paid = money.payments.reduce((sum, { received }) => sum + (received ?? 0), 0)
  const sum = (isDone: boolean) =>
    money.refunds
      .filter(({ status }) => status !== 'dropped' && (status === 'done') === isDone)
      .reduce((all, { amount }) => all + amount, 0)
  // A registration that came from a file has no payment.
  if ((paid === 0 && money.refunds.length === 0) || order.waits_for === 'payment') return null
  return (
    <p class="quiet">
      {paid > 0 && texts.payment.paid(say(paid))} {sum(true) > 0 && texts.payment.back.done(say(sum(true)))}{' '}
      {sum(false) > 0 && texts.payment.back.coming(say(sum(false)))}
    </p>
  )
}
