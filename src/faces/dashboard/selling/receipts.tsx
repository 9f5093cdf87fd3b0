import type { ReadTx } from '../../db/port.ts'
import { toReceiptsCsv } from '../../receipts/csv.ts'
import { listMonths } from '../../receipts/months.ts'
import * as receipts from '../../receipts/rules.ts'
import { sayReceipt } from '../../receipts/said.ts'
import { inBooks, type Receipt } from '../../receipts/schemas.ts'
import { monthRange } from '../../time.ts'
import { ButtonLink, Empty, Head, Time } from '../../web/components/parts.tsx'
import { withQuery } from '../../web/link.ts'
import { type List, Pages, Table } from '../../web/lists/list.tsx'
import type { OfAccount } from '../asked.ts'
import { download } from '../download.ts'
import { readCursor, toNext } from '../list-page.ts'
import { chosenMonth, MonthChoice } from '../month-choice.tsx'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PER_PAGE = 50

/** The numbers make sense as a whole: they are for members who have all events. */
const OF_RECEIPTS = { permission: 'reports', isOfAllEvents: true } as const

interface Loaded {
  month: string
  months: readonly string[]
  rows: readonly Receipt[]
  next: string | undefined
}

/** The month that the address asks for: by default the current one. @throws Problem not_found where there is none */
async function readMonth(tx: ReadTx, { account, query }: OfAccount, now: number) {
  const months = await listMonths(tx, account.id, now)
  const month = chosenMonth(months, query)
  const [from, until] = monthRange(month, account.timezone)
  return { month, months, span: { from, until } }
}

/** Receipts and credit notes of a month, newest first. */
export const receiptsPage = showPage('account', {
  ...OF_RECEIPTS,
  path: '/a/{account}/reports/receipts',
  load: async (tx, asked, { clock, cursors }): Promise<Loaded> => {
    const { month, months, span } = await readMonth(tx, asked, clock())
    const scope = `receipts ${asked.account.id} ${month}`
    const after = readCursor(cursors, scope, asked)
    const found = await receipts.listPage(tx, asked.account.id, { ...span, after, limit: PER_PAGE + 1 })
    const positions = found.map(receipt => ({ position: receipts.positionOf(receipt) }))
    return {
      ...{ month, months },
      rows: found.slice(0, PER_PAGE),
      next: toNext(cursors, scope, positions, PER_PAGE),
    }
  },
  view: (loaded, asked) => ({
    title: asked.voice.texts.receipts.listTitle,
    body: <Receipts {...loaded} asked={asked} />,
  }),
})

export const receiptsCsv = download('account', {
  ...OF_RECEIPTS,
  path: '/a/{account}/reports/receipts.csv',
  open: async (reader, asked, { clock }) => {
    const { month, span } = await reader.read(tx => readMonth(tx, asked, clock()))
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `receipts-${month}.csv`,
      chunks: toReceiptsCsv(reader, asked.account.id, span),
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
          {sayReceipt(receipt).kind}
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

function Receipts({ month, months, rows, next, asked }: Loaded & { asked: OfAccount }) {
  const { account, voice, query } = asked
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
