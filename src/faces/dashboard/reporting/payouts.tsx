import { Problem } from '#base/problem.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Empty, Head, Money, Stats } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { toPayoutsCsv } from '#product/selling/payouts/csv.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import type { Payout } from '#product/selling/payouts/schemas.ts'
import { chosenMonth, MonthChoice } from './month-choice.tsx'
import {
  findSource,
  OF_PAYOUTS,
  type PayoutSource,
  PayoutState,
  ReadingNotice,
  tellList,
} from './payout-parts.tsx'

/** The page shows this many payouts. The file has all. */
const MOST_SHOWN = 200

interface Loaded {
  source: PayoutSource
  month: string
  months: readonly string[]
  /** It has one more than the page shows if there are more. */
  rows: readonly Payout[]
}

/**
 * Reads the month that the address asks for. The default is the current one, or a later one in which a payout arrives.
 *
 * @throws Problem not_found if there is no such month, or if payouts concern nobody here
 */
async function readMonth(tx: ReadTx, { account, query }: AccountRequest, now: number) {
  const source = await findSource(tx)
  if (source === undefined) throw new Problem('not_found')
  const months = await payouts.listMonths(tx, now, account.timezone)
  return { source, months, month: chosenMonth(months, query) }
}

/** Lists the payouts of a month by the day on which they arrive. */
export const payoutsPage = showPage('account', {
  ...OF_PAYOUTS,
  path: '/a/{account}/reports/payouts',
  load: async (tx, request, { clock }): Promise<Loaded> => {
    const found = await readMonth(tx, request, clock())
    return { ...found, rows: await payouts.listOfMonth(tx, found.month, MOST_SHOWN + 1) }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.payouts.title,
    body: <Payouts {...loaded} request={request} />,
  }),
})

export const payoutsCsv = download('account', {
  ...OF_PAYOUTS,
  path: '/a/{account}/reports/payouts.csv',
  open: async (reader, request, { clock }) => {
    const { account, voice } = request
    const { source, month } = await reader.read(account.id, tx => readMonth(tx, request, clock()))
    const noteOf = (payout: Payout) => tellList(payout, source.reading ?? {}, voice)
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `payouts-${month}.csv`,
      chunks: toPayoutsCsv(reader, account.id, month, noteOf),
    }
  },
})

const listOf = (accountId: string): List<Payout> => ({
  caption: texts => texts.payouts.caption,
  columns: [
    {
      label: texts => texts.payouts.arrives,
      place: 'name',
      cell: ({ id, arrivesOn }, { format }) => (
        <a href={paths.payout(accountId, id)}>
          <time datetime={arrivesOn}>{format.day(arrivesOn)}</time>
        </a>
      ),
    },
    {
      label: texts => texts.payouts.state,
      place: 'line',
      cell: (payout, { texts }) => <PayoutState payout={payout} texts={texts} />,
    },
    {
      label: texts => texts.payouts.holds,
      place: 'wide',
      cell: ({ list, lines }, { texts: { payouts: labels } }) =>
        list === 'complete' ? labels.linesOf(lines ?? 0) : labels.lists[list],
    },
    {
      label: texts => texts.payouts.bank,
      place: 'when',
      cell: (payout, voice) => <AtBank payout={payout} accountId={accountId} voice={voice} />,
    },
    {
      label: texts => texts.payouts.amount,
      place: 'amount',
      isNumber: true,
      cell: ({ amount, currency }, { format }) => (
        <Money amount={amount} currency={currency} format={format} />
      ),
    },
  ],
})

/** Shows the booking of the bank that a payout was found in. */
export function AtBank({
  payout: { bankLine, status },
  accountId,
  voice: { texts, format },
}: {
  payout: Payout
  accountId: string
  voice: Voice
}) {
  const isOver = status === 'failed' || status === 'canceled'
  if (bankLine === null) return <span class="quiet">{isOver ? '—' : texts.payouts.notFound}</span>
  return (
    <a href={paths.bankLine(accountId, bankLine.id)}>
      <time datetime={bankLine.date}>{format.day(bankLine.date)}</time>
    </a>
  )
}

function Payouts({ source, month, months, rows, request }: Loaded & { request: AccountRequest }) {
  const { account, voice } = request
  const { texts, format } = voice
  const { payouts: labels } = texts
  const shown = rows.slice(0, MOST_SHOWN)
  return (
    <>
      <Head
        title={labels.title}
        crumbs={<a href={paths.monthlyReport(account.id)}>{texts.navigation.reports}</a>}
        about={labels.about}
        actions={
          <ButtonLink href={withQuery(paths.payoutsCsv(account.id), { month })}>{labels.csv}</ButtonLink>
        }
      />
      <ReadingNotice source={source} accountId={account.id} voice={voice} />
      <MonthChoice action={paths.payouts(account.id)} {...{ month, months, format }} texts={labels} />
      {rows.length === 0 ? (
        <Empty icon="chart" title={labels.none}>
          {labels.noneAbout}
        </Empty>
      ) : (
        <div class="stack">
          <Totals rows={rows.length > MOST_SHOWN ? [] : shown} voice={voice} />
          <Table list={listOf(account.id)} rows={shown} voice={voice} />
        </div>
      )}
      {rows.length > MOST_SHOWN && <p class="quiet">{labels.moreInFile}</p>}
      <p class="small quiet">{labels.csvAbout}</p>
    </>
  )
}

/** Shows what came in each currency. Amounts of several currencies are never added up. */
function Totals({ rows, voice: { texts, format } }: { rows: readonly Payout[]; voice: Voice }) {
  const { payouts: labels } = texts
  const stand = rows.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const currencies = [...new Set(stand.map(({ currency }) => currency))].sort()
  return (
    <>
      {currencies.map(currency => {
        const own = stand.filter(payout => payout.currency === currency)
        const sum = own.reduce((all, { amount }) => all + amount, 0)
        const found = own.filter(({ bankLine }) => bankLine !== null).length
        return (
          <Stats
            key={currency}
            label={labels.totalOf(currency)}
            stats={[
              {
                name: labels.total,
                value: format.money(sum, currency),
                about: rows.length > stand.length ? labels.totalAbout : undefined,
              },
              { name: labels.found, value: format.number(found), of: labels.foundOf(own.length) },
            ]}
          />
        )
      })}
    </>
  )
}
