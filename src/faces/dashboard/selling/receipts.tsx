import { monthRange } from '#base/time.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { chosenMonth, MonthChoice } from '#faces/dashboard/reporting/month-choice.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Empty, Head, Time } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import { toReceiptsCsv } from '#product/selling/receipts/csv.ts'
import { listMonths } from '#product/selling/receipts/months.ts'
import { receiptText } from '#product/selling/receipts/receipt-text.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { inBooks, type Receipt } from '#product/selling/receipts/schemas.ts'

const PER_PAGE = 50

/** The numbers make sense only as a whole, so members need all events. */
const OF_RECEIPTS = { permission: 'reports', isOfAllEvents: true } as const

interface Loaded {
  month: string
  months: readonly string[]
  rows: readonly Receipt[]
  next: string | undefined
}

/**
 * Reads the month that the address asks for. The default is the current one.
 *
 * @throws Problem not_found if there is no such month
 */
async function readMonth(tx: ReadTx, { account, query }: AccountRequest, now: number) {
  const months = await listMonths(tx, now)
  const month = chosenMonth(months, query)
  const [from, until] = monthRange(month, account.timezone)
  return { month, months, span: { from, until } }
}

/** Lists the receipts and credit notes of a month, newest first. */
export const receiptsPage = showPage('account', {
  ...OF_RECEIPTS,
  path: '/a/{account}/reports/receipts',
  load: async (tx, request, { clock, cursors }): Promise<Loaded> => {
    const { month, months, span } = await readMonth(tx, request, clock())
    const scope = `receipts ${request.account.id} ${month}`
    const after = readCursor(cursors, scope, request)
    const found = await receipts.listPage(tx, { ...span, after, limit: PER_PAGE + 1 })
    const positions = found.map(receipt => ({ position: receipts.positionOf(receipt) }))
    return {
      ...{ month, months },
      rows: found.slice(0, PER_PAGE),
      next: toNext(cursors, scope, positions, PER_PAGE),
    }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.receipts.listTitle,
    body: <Receipts {...loaded} request={request} />,
  }),
})

export const receiptsCsv = download('account', {
  ...OF_RECEIPTS,
  path: '/a/{account}/reports/receipts.csv',
  open: async (reader, request, { clock }) => {
    const { month, span } = await reader.read(request.account.id, tx => readMonth(tx, request, clock()))
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `receipts-${month}.csv`,
      chunks: toReceiptsCsv(reader, request.account.id, span),
    }
  },
})

const list: List<Receipt> = {
  caption: texts => texts.receipts.caption,
  columns: [
    {
      label: texts => texts.receipts.number,
      place: 'name',
      cell: ({ id, number, event_id, order_id }) => (
        <a class="whole" href={paths.receipt(event_id, order_id, id)}>
          {number}
        </a>
      ),
    },
    {
      label: texts => texts.receipts.buyer,
      place: 'line',
      cell: ({ buyer }) => <bdi>{buyer.company ?? buyer.name}</bdi>,
    },
    {
      label: texts => texts.receipts.date,
      place: 'when',
      cell: ({ issued_at }, { format }) => <Time at={issued_at} format={format} />,
    },
    {
      label: texts => texts.receipts.kind,
      place: 'wide',
      cell: receipt => (
        <span class="whole" lang={receipt.language}>
          {receiptText(receipt).kind}
        </span>
      ),
    },
    {
      label: texts => texts.receipts.total,
      place: 'amount',
      isNumber: true,
      cell: (receipt, { format }) => format.money(inBooks(receipt, receipt.total), receipt.currency),
    },
  ],
}

function Receipts({ month, months, rows, next, request }: Loaded & { request: AccountRequest }) {
  const { account, voice, query } = request
  const { texts, format } = voice
  const path = paths.receipts(account.id)
  const after = query.get('after') ?? undefined
  return (
    <>
      <Head
        title={texts.receipts.listTitle}
        crumbs={<a href={paths.monthlyReport(account.id)}>{texts.navigation.reports}</a>}
        about={texts.receipts.listAbout}
        actions={
          <ButtonLink href={withQuery(paths.receiptsCsv(account.id), { month })}>
            {texts.receipts.csv}
          </ButtonLink>
        }
      />
      <MonthChoice action={path} {...{ month, months, format }} texts={texts.receipts} />
      {rows.length === 0 && after === undefined ? (
        <Empty icon="chart" title={texts.receipts.none}>
          {texts.receipts.noneAbout}
        </Empty>
      ) : (
        <Table list={list} rows={rows} voice={voice} />
      )}
      <Pages path={path} query={{ month, after }} shown={rows.length} next={next} texts={texts} />
      <p class="small quiet">{texts.receipts.csvAbout}</p>
    </>
  )
}
