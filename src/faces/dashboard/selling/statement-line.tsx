import { type Found, findCandidates } from '../../bank-statements/candidates.ts'
import { type OrderOfLine, orderOf } from '../../bank-statements/preview.ts'
import * as lines from '../../bank-statements/rules.ts'
import type { BankLine } from '../../bank-statements/schemas.ts'
import * as payments from '../../payments/rules.ts'
import type { Refund } from '../../payments/schemas.ts'
import { ButtonLink, Facts, Head, Money, PostButton, Time } from '../../web/components/parts.tsx'
import { type List, ListTools, Table } from '../../web/lists/list.tsx'
import type { OfAccount } from '../asked.ts'
import { paths } from '../paths.ts'
import { findSubject, type RefundSubject } from '../refund-subject.ts'
import { showPage } from '../show.tsx'
import { Counterparty, LineState, OF_STATEMENTS } from '../statement-parts.tsx'

const SHOWN = 20
const MAX_SEARCH = 100

interface Loaded {
  line: BankLine
  order: OrderOfLine | undefined
  isUndoable: boolean
  search: string
  candidates: readonly Found[]
  refunds: readonly OwedRefund[]
}

interface OwedRefund {
  refund: Refund
  of: RefundSubject | undefined
}

/** A line of a statement, and what can be done with it. */
export const bankLinePage = showPage('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/lines/{line}',
  load: async (tx, { account, params, query }): Promise<Loaded> => {
    const line = await lines.getLine(tx, account.id, params.line ?? '')
    const search = (query.get('q') ?? '').slice(0, MAX_SEARCH)
    const payment = line.payment_id === null ? undefined : await payments.get(tx, account.id, line.payment_id)
    const refunds: OwedRefund[] = []
    for (const refund of await lines.listPaidBack(tx, account.id, line))
      refunds.push({ refund, of: await findSubject(tx, account.id, refund) })
    const isToMatch = line.state === 'unmatched' && line.amount > 0
    return {
      line,
      order: payment && (await orderOf(tx, account.id, payment.order_id)),
      isUndoable: await lines.isUndoable(tx, account.id, line),
      search,
      candidates: isToMatch ? await findCandidates(tx, account.id, line, search, SHOWN) : [],
      refunds,
    }
  },
  view: (loaded, asked) => {
    const { account, voice } = asked
    const { statements: said } = voice.texts
    const { line, isUndoable, refunds } = loaded
    const title = said.lineTitle(voice.format.money(line.amount, line.currency))
    const act = (what: 'ignore' | 'restore' | 'undo') => paths.bankLine(account.id, line.id, what)
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={paths.statements(account.id)}>{said.title}</a>} />
          <div class="stack">
            <div class="card stack">
              <Facts facts={factsOf(loaded, asked)} />
              {line.state === 'matched' && !isUndoable && <p class="quiet">{said.undoNot}</p>}
              <div class="row">
                {line.state === 'unmatched' && <PostButton action={act('ignore')}>{said.ignore}</PostButton>}
                {line.state === 'ignored' && <PostButton action={act('restore')}>{said.restore}</PostButton>}
                {isUndoable && <PostButton action={act('undo')}>{said.undo}</PostButton>}
              </div>
            </div>
            {line.state === 'unmatched' && line.amount > 0 && <Candidates loaded={loaded} asked={asked} />}
            {refunds.length > 0 && <Refunds line={line} refunds={refunds} asked={asked} />}
          </div>
        </>
      ),
    }
  },
})

function factsOf({ line, order }: Loaded, { voice }: OfAccount) {
  const { statements: said } = voice.texts
  return [
    [said.day, voice.format.day(line.date)],
    [said.amount, <Money key="amount" {...line} format={voice.format} />],
    [said.counterparty, <Counterparty key="name" line={line} voice={voice} />],
    [said.text, <bdi key="text">{line.text || (line.is_erased ? said.erased : '—')}</bdi>],
    [said.why, <LineState key="why" line={line} voice={voice} />],
    ...(order === undefined
      ? []
      : [
          [
            said.order,
            <span key="order">
              <a href={paths.order(order.event_id, order.id)}>{order.reference}</a> <bdi>{order.buyer}</bdi>
            </span>,
          ] as const,
        ]),
  ] as const
}

function Candidates({ loaded, asked }: { loaded: Loaded; asked: OfAccount }) {
  const { line, candidates, search } = loaded
  const { account, voice } = asked
  const { statements: said } = voice.texts
  const path = paths.bankLine(account.id, line.id)
  return (
    <section class="stack" aria-labelledby="orders">
      <h2 id="orders">{said.goesTo}</h2>
      <p class="quiet">{said.goesToAbout}</p>
      <ListTools path={path} query={{ q: search }} voice={voice} search={said.search} />
      {candidates.length === 0 ? (
        <p class="card quiet">{search === '' ? said.noCandidates : said.noneFound}</p>
      ) : (
        <Table list={candidateList(asked, line)} rows={candidates} voice={voice} />
      )}
    </section>
  )
}

function candidateList({ account }: OfAccount, line: BankLine): List<Found> {
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
  asked,
}: {
  line: BankLine
  refunds: readonly OwedRefund[]
  asked: OfAccount
}) {
  const { account, voice } = asked
  const { statements: said, refunds: owed } = voice.texts
  return (
    <section class="card stack" aria-labelledby="refunds">
      <h2 id="refunds">{said.refunds}</h2>
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
            <ButtonLink href={paths.lineRefund(account.id, line.id, id)}>{said.refund}</ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
