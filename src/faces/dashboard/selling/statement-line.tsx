import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Facts, Head, Money, PostButton, Time } from '#machinery/web/components/parts.tsx'
import { type List, ListTools, Table } from '#machinery/web/lists/list.tsx'
import { type Found, findCandidates } from '#product/selling/bank-statements/candidates.ts'
import { listFitting, type PayoutOfLine, payoutOf } from '#product/selling/bank-statements/payout-lines.ts'
import { type OrderOfLine, orderOf } from '#product/selling/bank-statements/preview.ts'
import * as lines from '#product/selling/bank-statements/rules.ts'
import type { BankLine } from '#product/selling/bank-statements/schemas.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'
import type { Payout } from '#product/selling/payouts/schemas.ts'
import { findSubject, type RefundSubject } from './refund-subject.ts'
import { Counterparty, LineState, OF_STATEMENTS } from './statement-parts.tsx'
import { FittingPayouts, PayoutLink } from './statement-payout.tsx'

const SHOWN = 20
const MAX_SEARCH = 100

interface Loaded {
  line: BankLine
  order: OrderOfLine | undefined
  isUndoable: boolean
  search: string
  candidates: readonly Found[]
  refunds: readonly OwedRefund[]
  payout: PayoutOfLine | undefined
  fitting: readonly Payout[]
}

interface OwedRefund {
  refund: Refund
  of: RefundSubject | undefined
}

/** Shows a line of a statement, and what can be done with it. */
export const bankLinePage = showPage('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/lines/{line}',
  load: async (tx, { params, query }): Promise<Loaded> => {
    const line = await lines.getLine(tx, params.line ?? '')
    const search = (query.get('q') ?? '').slice(0, MAX_SEARCH)
    const payment = line.payment_id === null ? undefined : await payments.get(tx, line.payment_id)
    const refunds: OwedRefund[] = []
    for (const refund of await lines.listPaidBack(tx, line))
      refunds.push({ refund, of: await findSubject(tx, refund) })
    const isToMatch = line.state === 'unmatched' && line.amount > 0
    return {
      line,
      order: payment && (await orderOf(tx, payment.order_id)),
      isUndoable: await lines.isUndoable(tx, line),
      search,
      candidates: isToMatch ? await findCandidates(tx, line, search, SHOWN) : [],
      refunds,
      payout: line.payout_id === null ? undefined : await payoutOf(tx, line.payout_id),
      fitting: isToMatch ? await listFitting(tx, line) : [],
    }
  },
  view: (loaded, request) => {
    const { account, voice } = request
    const { statements: labels } = voice.texts
    const { line, isUndoable, refunds, fitting } = loaded
    const title = labels.lineTitle(voice.format.money(line.amount, line.currency))
    const act = (what: 'ignore' | 'restore' | 'undo') => paths.bankLine(account.id, line.id, what)
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={paths.statements(account.id)}>{labels.title}</a>} />
          <div class="stack">
            <div class="card stack">
              <Facts facts={factsOf(loaded, request)} />
              {line.state === 'matched' && !isUndoable && <p class="quiet">{labels.undoNot}</p>}
              <div class="row">
                {line.state === 'unmatched' && (
                  <PostButton action={act('ignore')}>{labels.ignore}</PostButton>
                )}
                {line.state === 'ignored' && (
                  <PostButton action={act('restore')}>{labels.restore}</PostButton>
                )}
                {isUndoable && <PostButton action={act('undo')}>{labels.undo}</PostButton>}
              </div>
            </div>
            {fitting.length > 0 && <FittingPayouts line={line} fitting={fitting} request={request} />}
            {line.state === 'unmatched' && line.amount > 0 && (
              <Candidates loaded={loaded} request={request} />
            )}
            {refunds.length > 0 && <Refunds line={line} refunds={refunds} request={request} />}
          </div>
        </>
      ),
    }
  },
})

function factsOf({ line, order, payout }: Loaded, { account, voice }: AccountRequest) {
  const { statements: labels } = voice.texts
  return [
    [labels.day, voice.format.day(line.date)],
    [labels.amount, <Money key="amount" {...line} format={voice.format} />],
    [labels.counterparty, <Counterparty key="name" line={line} voice={voice} />],
    [labels.text, <bdi key="text">{line.text || (line.is_erased ? labels.erased : '—')}</bdi>],
    [labels.why, <LineState key="why" line={line} voice={voice} />],
    ...(payout === undefined
      ? []
      : [
          [
            voice.texts.payouts.title,
            <PayoutLink key="payout" of={payout} accountId={account.id} voice={voice} />,
          ] as const,
        ]),
    ...(order === undefined
      ? []
      : [
          [
            labels.order,
            <span key="order">
              <a href={paths.order(order.event_id, order.id)}>{order.reference}</a> <bdi>{order.buyer}</bdi>
            </span>,
          ] as const,
        ]),
  ] as const
}

function Candidates({ loaded, request }: { loaded: Loaded; request: AccountRequest }) {
  const { line, candidates, search } = loaded
  const { account, voice } = request
  const { statements: labels } = voice.texts
  const path = paths.bankLine(account.id, line.id)
  return (
    <section class="stack" aria-labelledby="orders">
      <h2 id="orders">{labels.goesTo}</h2>
      <p class="quiet">{labels.goesToAbout}</p>
      <ListTools path={path} query={{ q: search }} voice={voice} search={labels.search} />
      {candidates.length === 0 ? (
        <p class="card quiet">{search === '' ? labels.noCandidates : labels.noneFound}</p>
      ) : (
        <Table list={candidateList(request, line)} rows={candidates} voice={voice} />
      )}
    </section>
  )
}

function candidateList({ account }: AccountRequest, line: BankLine): List<Found> {
  return {
    caption: texts => texts.statements.candidates,
    columns: [
      {
        label: texts => texts.statements.order,
        place: 'name',
        cell: ({ event_id, order_id, order_reference, buyer_name }) => (
          <>
            <a href={paths.order(event_id, order_id)}>
              <bdi>{buyer_name}</bdi>
            </a>
            <div class="small quiet">{order_reference}</div>
          </>
        ),
      },
      {
        label: texts => texts.statements.state,
        place: 'line',
        cell: ({ isOpen }, { texts }) => (isOpen ? texts.statements.open : texts.statements.ended),
      },
      {
        label: texts => texts.statements.lacking,
        place: 'amount',
        isNumber: true,
        cell: ({ lacking, currency }, { format }) => (
          <Money amount={Math.max(0, lacking)} currency={currency} format={format} />
        ),
      },
      {
        label: texts => texts.statements.choose,
        place: 'when',
        isAction: true,
        cell: ({ payment_id, order_reference }, { texts }) => (
          <ButtonLink href={paths.matchLine(account.id, line.id, payment_id)}>
            {texts.statements.choose}
            <span class="hidden">: {order_reference}</span>
          </ButtonLink>
        ),
      },
    ],
  }
}

function Refunds({
  line,
  refunds,
  request,
}: {
  line: BankLine
  refunds: readonly OwedRefund[]
  request: AccountRequest
}) {
  const { account, voice } = request
  const { statements: labels, refunds: owed } = voice.texts
  return (
    <section class="card stack" aria-labelledby="refunds">
      <h2 id="refunds">{labels.refunds}</h2>
      <ul class="todo">
        {refunds.map(({ refund: { id, created_at, reason }, of }) => (
          <li key={id}>
            <div>
              {of === undefined ? (
                owed.unknownOrder
              ) : (
                <a href={of.href}>
                  <bdi>{of.name}</bdi>
                </a>
              )}
              <div class="small quiet">
                {owed.reasons[reason]} · <Time at={created_at} format={voice.format} />
              </div>
            </div>
            <ButtonLink href={paths.lineRefund(account.id, line.id, id)}>{labels.refund}</ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
