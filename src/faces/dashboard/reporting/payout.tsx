import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Banner, Facts, Head, Money, Time } from '#machinery/web/components/parts.tsx'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import { findStripe, type StripeConnection } from '#product/selling/payments/connections.ts'
import { stripeUrl } from '#product/selling/payments/stripe/dashboard-links.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import {
  type Payout,
  type PayoutGroup,
  type PayoutLine,
  type PayoutReading,
  payoutGroups,
} from '#product/selling/payouts/schemas.ts'
import { OF_PAYOUTS, PayoutState, tellList } from './payout-parts.tsx'
import { AtBank } from './payouts.tsx'

const PER_PAGE = 100

interface Loaded {
  payout: Payout
  reading: PayoutReading | undefined
  stripe: StripeConnection | undefined
  sums: readonly payouts.GroupSum[]
  lines: readonly PayoutLine[]
  next: string | undefined
}

/** Shows a payout with what it holds. */
export const payoutPage = showPage('account', {
  ...OF_PAYOUTS,
  path: '/a/{account}/reports/payouts/{payout}',
  load: async (tx, { params, query }): Promise<Loaded> => {
    const payout = await payouts.get(tx, params.payout ?? '')
    const isListed = payout.list === 'complete'
    const after = query.get('after') || undefined
    const found = isListed ? await payouts.listLinesAfter(tx, payout.id, PER_PAGE + 1, after) : []
    return {
      payout,
      reading: await payouts.findReading(tx),
      stripe: await findStripe(tx),
      sums: isListed ? await payouts.sumUp(tx, payout.id) : [],
      lines: found.slice(0, PER_PAGE),
      next: found.length > PER_PAGE ? found[PER_PAGE - 1]?.id : undefined,
    }
  },
  view: (loaded, request) => {
    const { texts, format } = request.voice
    const title = texts.payouts.pageTitle(format.day(loaded.payout.arrivesOn))
    return { title, body: <PayoutBody title={title} loaded={loaded} request={request} /> }
  },
})

interface BodyProps {
  loaded: Loaded
  request: AccountRequest
}

function PayoutBody({ title, loaded, request }: BodyProps & { title: string }) {
  const { payout, reading, lines, next } = loaded
  const { account, voice, query } = request
  const { payouts: labels } = voice.texts
  const isExplained = payout.list === 'complete' && payout.difference === 0
  const path = paths.payout(account.id, payout.id)
  const after = query.get('after') || undefined
  return (
    <>
      <Head
        title={title}
        crumbs={<a href={paths.payouts(account.id)}>{labels.title}</a>}
        pill={<PayoutState payout={payout} texts={voice.texts} />}
      />
      <div class="stack">
        <div class="card stack">
          <Facts facts={factsOf(loaded, request)} />
          {isExplained && <p class="quiet">{tellList(payout, reading ?? {}, voice)}</p>}
        </div>
        {!isExplained && <Banner tone="warn">{tellList(payout, reading ?? {}, voice)}</Banner>}
        {payout.list === 'complete' && (
          <>
            <Table list={groupsOf(payout)} rows={sumsOf(loaded)} voice={voice} hasHeading />
            <Table list={listOf(payout)} rows={lines} voice={voice} hasHeading />
            <Pages
              path={path}
              query={{ after }}
              shown={lines.length}
              next={next}
              texts={voice.texts}
              isForward
            />
          </>
        )}
      </div>
    </>
  )
}

function factsOf({ payout, stripe }: Loaded, { account, voice }: AccountRequest) {
  const { texts, format } = voice
  const { payouts: labels } = texts
  const { id, amount, currency, arrivesOn, madeAt } = payout
  return [
    [labels.amount, <Money key="amount" amount={amount} currency={currency} format={format} />],
    [labels.arrives, format.day(arrivesOn)],
    [labels.made, <Time key="made" at={madeAt} format={format} />],
    [labels.bank, <AtBank key="bank" payout={payout} accountId={account.id} voice={voice} />],
    [
      labels.atStripe,
      <span key="id">
        <bdi>{id}</bdi>
        {stripe !== undefined && (
          <div class="small">
            <a href={stripeUrl(stripe, 'payouts', id)} rel="noopener noreferrer">
              {texts.refunds.atStripe.payouts}
            </a>
          </div>
        )}
      </span>,
    ],
  ] as const
}

/** What a group comes to. The last row is all of them together. */
interface SumRow {
  group: PayoutGroup | undefined
  lines: number
  amount: number
}

function sumsOf({ payout, sums }: Loaded): SumRow[] {
  const own = payoutGroups.flatMap(group => sums.filter(sum => sum.group === group))
  return [...own, { group: undefined, lines: payout.lines ?? 0, amount: payout.net ?? 0 }]
}

const groupsOf = ({ currency }: Payout): List<SumRow> => ({
  caption: texts => texts.payouts.whatItHolds,
  columns: [
    {
      label: texts => texts.payouts.group,
      place: 'name',
      cell: ({ group }, { texts: { payouts: labels } }) => (
        <>
          {group === undefined ? labels.sum : labels.groups[group]}
          {group !== undefined && group in labels.groupsAbout && (
            <div class="small quiet">{labels.groupsAbout[group as keyof typeof labels.groupsAbout]}</div>
          )}
        </>
      ),
    },
    {
      label: texts => texts.payouts.entries,
      place: 'line',
      isNumber: true,
      cell: ({ lines }, { texts }) => lines > 0 && texts.payouts.linesOf(lines),
    },
    {
      label: texts => texts.payouts.amount,
      place: 'amount',
      isNumber: true,
      cell: ({ amount }, { format }) => <Money amount={amount} currency={currency} format={format} />,
    },
  ],
})

const listOf = ({ currency }: Payout): List<PayoutLine> => ({
  caption: texts => texts.payouts.linesCaption,
  columns: [
    {
      label: texts => texts.payouts.entry,
      place: 'name',
      cell: ({ kind, group, order }, { texts: { payouts: labels } }) => (
        <>
          {order === null ? (
            labels.kinds[kind]
          ) : (
            <a href={paths.order(order.eventId, order.id)}>
              {labels.kinds[kind]} {order.reference}
            </a>
          )}
          {group === 'foreign' && <div class="small quiet">{labels.groups.foreign}</div>}
        </>
      ),
    },
    {
      label: texts => texts.payouts.when,
      place: 'when',
      cell: ({ movedAt }, { format }) => <Time at={movedAt} format={format} />,
    },
    {
      label: texts => texts.payouts.amount,
      place: 'wide',
      isNumber: true,
      cell: ({ amount }, { format }) => <Money amount={amount} currency={currency} format={format} />,
    },
    {
      label: texts => texts.payouts.fee,
      place: 'line',
      isNumber: true,
      cell: ({ fee }, { format }) => <Money amount={fee} currency={currency} format={format} />,
    },
    {
      label: texts => texts.payouts.net,
      place: 'amount',
      isNumber: true,
      cell: ({ net }, { format }) => <Money amount={net} currency={currency} format={format} />,
    },
  ],
})
