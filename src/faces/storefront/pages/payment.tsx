import { printCreditorReference } from '../../creditor-reference.ts'
import type { Method } from '../../payments/processor.ts'
import type { Payment } from '../../payments/schemas.ts'
import { transferCode } from '../../payments/transfer-code.ts'
import { Banner, Facts } from '../../web/components/parts.tsx'
import { QrCode } from '../../web/components/qr-code.tsx'
import type { Money } from '../seen-order.ts'
import { inSpeech } from '../voice.ts'
import type { OrderProps } from './order-props.ts'
import { WAY, Ways } from './ways.tsx'

/** Seconds between two looks of a page that waits for something to change. */
const SOON = 2

type PaidProps = OrderProps & { money: Money }

/** Where somebody who has just ordered, or comes back, is on the way. */
export type Going = 'go' | 'paid' | undefined

/** The open payment of an order. */
function openOf({ payments }: Money): Payment | undefined {
  return payments.find(({ ended_at }) => ended_at === null)
}

/** What the head of an order's page has to do, so that somebody goes on without a script: to the payment, or until it is known. */
export function Onward({ going, order, money }: OrderProps & { going: Going }) {
  if (money === undefined || order.waits_for !== 'payment') return null
  const open = openOf(money)
  if (open?.status !== 'created') return null
  const isLeft = open.next_method !== null
  if (going === undefined && !isLeft) return null
  const to = going === 'go' && open.url !== null && !isLeft ? `0; url=${open.url}` : String(SOON)
  return <meta http-equiv="refresh" content={to} />
}

/** How an order is paid, while it waits for that. */
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
  if (payment.trouble === 'other_amount') return <Said text={say.otherAmount(money(payment.received ?? 0))} />
  if (payment.method === 'transfer') return <Transfer {...props} payment={payment} />
  if (payment.method === 'door') return <AtDoor {...props} payment={payment} />
  if (payment.status === 'pending') return <Said text={say.processing} />
  if (payment.next_method !== null)
    return <Left {...props} method={payment.method} next={payment.next_method} />
  if (going === 'paid') return <Said text={say.checking} />
  return (
    <>
      {payment.url === null ? (
        <Said text={say.preparing} isRefreshed={going === undefined} {...props} />
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

/** A payment that its processor ends, so that the buyer can pay in another way and never pays twice. */
function Left({ method, next, speech, voice, path }: PaidProps & Record<'method' | 'next', Method>) {
  const { payment: say } = voice.texts
  return (
    <>
      <p role="status">{say.left(say.names[method], say.names[next])}</p>
      <form method="post" action={inSpeech(speech, `${path}/pay`)}>
        <input type="hidden" name={WAY} value={method} />
        <button type="submit" class="button">
          {say.goBack(say.names[method])}
        </button>
      </form>
    </>
  )
}

function Said({
  text,
  isRefreshed = false,
  ...props
}: Partial<OrderProps> & { text: string; isRefreshed?: boolean }) {
  return (
    <p role="status">
      {text}{' '}
      {isRefreshed && props.path !== undefined && props.speech !== undefined && (
        <a href={inSpeech(props.speech, `${props.path}?go`)}>{props.voice?.texts.payment.again}</a>
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
        <figure class="transfer-code">
          <QrCode level="M" text={code} label={say.scan} />
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

/** Another way than the chosen one. */
function Another({ current, ...props }: PaidProps & { current: Payment }) {
  const { money, voice } = props
  const others = money.ways.filter(way => way !== current.method)
  if (others.length === 0 || current.received !== null) return null
  return (
    <details>
      <summary>{voice.texts.payment.another}</summary>
      <Choose {...props} money={{ ...money, ways: others }} isAnother />
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
      <Ways ways={money.ways} chosen={null} legend={texts.payment.how} texts={texts} />
      {money.ways.length > 0 && (
        <p>
          <button type="submit" class={isAnother ? 'button' : 'button main'}>
            {isAnother ? texts.payment.chooseAnother : texts.payment.again}
          </button>
        </p>
      )}
    </form>
  )
}

/** What was paid, and what goes back. */
export function PaidNote({ order, money, voice }: OrderProps) {
  if (money === undefined) return null
  const { texts, format } = voice
  const say = (amount: number) => format.money(amount, order.currency)
  const paid = money.payments.reduce((sum, { received }) => sum + (received ?? 0), 0)
  const sum = (isDone: boolean) =>
    money.refunds
      .filter(({ status }) => (status === 'done') === isDone)
      .reduce((all, { amount }) => all + amount, 0)
  // Of what a file brought there is no payment.
  if ((paid === 0 && money.refunds.length === 0) || order.waits_for === 'payment') return null
  return (
    <p class="quiet">
      {paid > 0 && texts.payment.paid(say(paid))} {sum(true) > 0 && texts.payment.back.done(say(sum(true)))}{' '}
      {sum(false) > 0 && texts.payment.back.coming(say(sum(false)))}
    </p>
  )
}
