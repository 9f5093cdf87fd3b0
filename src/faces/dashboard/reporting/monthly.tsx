import { download } from '#faces/dashboard/frame/download.ts'
import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import {
  ButtonLink,
  Empty,
  Head,
  Live,
  Pill,
  type StatProps,
  Stats,
  Time,
} from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { toMonthlyCsv } from '#product/reporting/reports/monthly-csv.ts'
import { listMonths, readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import type { MonthlyReport, MonthlyRow } from '#product/reporting/reports/schemas.ts'
import { type MonthlyTotals, totalsOf } from '#product/reporting/reports/totals.ts'
import { chosenMonth, MonthChoice } from './month-choice.tsx'
import { findSource } from './payout-parts.tsx'

/** The page shows this many events with figures. The file has all. */
const MOST_SHOWN = 200
/** The page looks again this often at a month that is being summed up, in seconds. */
const EVERY = 2

interface Loaded {
  month: string
  months: readonly string[]
  /** It is undefined while the month is being summed up. */
  done: { report: MonthlyReport; at: number } | undefined
  hasPayouts: boolean
}

/**
 * Returns the month that the address asks for. The default is the current one.
 *
 * @throws Problem not_found if there is no such month
 */
async function readMonth(
  tx: ReadTx,
  { query }: AccountRequest,
  now: number,
): Promise<{ month: string; months: string[] }> {
  const months = await listMonths(tx, now)
  return { month: chosenMonth(months, query), months }
}

/** Members with some events see the figures of those events only. */
function ofMember(report: MonthlyReport, { member: { event_ids } }: AccountRequest): MonthlyReport {
  if (event_ids === null) return report
  return { ...report, data: report.data.filter(({ event_id }) => event_ids.includes(event_id)) }
}

/** Shows the sums of a month, event by event. */
export const monthlyPage = showPage('account', {
  path: '/a/{account}/reports',
  permission: 'reports',
  navigation: { icon: 'chart', text: texts => texts.navigation.reports },
  prepare: async ({ db, clock, monthlyReports }: Services, request): Promise<Loaded> => {
    const now = clock()
    const asking = await db.read(request.account.id, async tx => ({
      ...(await readMonth(tx, request, now)),
      hasPayouts: (await findSource(tx)) !== undefined,
    }))
    const done = await monthlyReports.look(request.account.id, asking.month, now)
    return { ...asking, done: done && { ...done, report: ofMember(done.report, request) } }
  },
  view: (loaded, request) => {
    const { month, done } = loaded
    const { texts, format } = request.voice
    const title = texts.reports.monthTitle(format.month(month))
    return {
      title,
      refresh: done === undefined ? EVERY : undefined,
      body: <Month title={title} {...loaded} request={request} />,
    }
  },
})

export const monthlyCsv = download('account', {
  path: '/a/{account}/reports/monthly.csv',
  permission: 'reports',
  open: async (reader, request, { clock }) => {
    const now = clock()
    const { month } = await reader.read(request.account.id, tx => readMonth(tx, request, now))
    const report = await readMonthlyReport(reader, request.account.id, month, now)
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `month-${month}.csv`,
      chunks: oneChunk(toMonthlyCsv(ofMember(report, request))),
    }
  },
})

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text
}

function Month({
  title,
  month,
  months,
  done,
  hasPayouts,
  request,
}: Loaded & { title: string; request: AccountRequest }) {
  const { account, voice } = request
  const { texts, format } = voice
  const { reports } = texts
  return (
    <>
      <Head
        title={title}
        pill={done && <StateOf report={done.report} isOver={month !== months[0]} voice={voice} />}
        about={texts.page.timesIn(format.timezone)}
        actions={
          <>
            {request.member.event_ids === null && (
              <ButtonLink href={paths.receipts(account.id)}>{texts.receipts.listTitle}</ButtonLink>
            )}
            {request.member.event_ids === null && hasPayouts && (
              <ButtonLink href={paths.payouts(account.id)}>{texts.payouts.title}</ButtonLink>
            )}
            <ButtonLink href={withQuery(paths.monthlyCsv(account.id), { month })}>
              {reports.downloadCsv}
            </ButtonLink>
          </>
        }
      />
      <MonthChoice action={paths.monthlyReport(account.id)} {...{ month, months, format }} texts={reports} />
      <Live id="figures" every={done === undefined ? EVERY : undefined}>
        {done === undefined ? (
          <Empty icon="clock" title={reports.summingUp}>
            {reports.summingUpAbout}
          </Empty>
        ) : (
          <Figures report={done.report} at={done.at} voice={voice} />
        )}
      </Live>
    </>
  )
}

function StateOf({ report, isOver, voice }: { report: MonthlyReport; isOver: boolean; voice: Voice }) {
  const { reports } = voice.texts
  if (!isOver) return <Pill tone="warn">{reports.underWay}</Pill>
  const isComplete = report.data.every(({ reasons }) => Object.keys(reasons).length === 0)
  return isComplete ? (
    <Pill tone="good">{reports.complete}</Pill>
  ) : (
    <Pill tone="warn">{reports.incomplete}</Pill>
  )
}

function Figures({ report, at, voice }: { report: MonthlyReport; at: number; voice: Voice }) {
  const { texts, format } = voice
  const { reports } = texts
  const { data } = report
  if (data.length === 0) {
    return (
      <Empty icon="chart" title={reports.nothing}>
        {reports.nothingAbout}
      </Empty>
    )
  }
  const totals = totalsOf(data)
  const more = data.length - MOST_SHOWN
  return (
    <>
      {data.length > 1 && totals.map(total => <Total key={total.currency} total={total} voice={voice} />)}
      {totals.length > 1 && <p class="quiet">{reports.currenciesApart}</p>}
      {data.slice(0, MOST_SHOWN).map(row => (
        <OfOneEvent key={`${row.event_id} ${row.currency}`} row={row} voice={voice} />
      ))}
      {more > 0 && <p class="quiet">{reports.moreEvents(more)}</p>}
      <p class="small quiet">
        {reports.asOf} <Time at={at} format={format} />
      </p>
    </>
  )
}

function Total({ total, voice }: { total: MonthlyTotals; voice: Voice }) {
  const { reports } = voice.texts
  const name = reports.allEvents(total.events, total.currency)
  return (
    <section class="stack" aria-label={name}>
      <h2>{name}</h2>
      <Stats label={name} stats={statsOf(total, total.tickets, voice)} />
    </section>
  )
}

function OfOneEvent({ row, voice }: { row: MonthlyRow; voice: Voice }) {
  const { reports } = voice.texts
  const { event_id, event_title, currency, tickets_by_type } = row
  const tickets = tickets_by_type.reduce((sum, each) => sum + each.tickets, 0)
  const id = `e-${event_id}-${currency}`
  return (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>
        <a href={paths.event(event_id)}>
          <bdi>{event_title}</bdi>
        </a>{' '}
        <span class="quiet">{currency}</span>
      </h2>
      <Stats label={reports.figuresOf(event_title)} stats={statsOf(row, tickets, voice)} />
      {tickets_by_type.length > 0 && (
        <details open>
          <summary>{reports.byType}</summary>
          <ul class="will">
            {tickets_by_type.map(({ registration_type_id, name, tickets }) => (
              <li key={registration_type_id}>
                <bdi>{name}</bdi>: {voice.format.number(tickets)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

type Figure = Pick<
  MonthlyRow,
  | 'currency'
  | 'registrations'
  | 'gross'
  | 'service_fee'
  | 'processor_fee'
  | 'refunds'
  | 'net'
  | 'check_ins'
  | 'reasons'
>

function statsOf(figures: Figure, tickets: number, { texts, format }: Voice): StatProps[] {
  const { reports, page } = texts
  const { currency, reasons } = figures
  const money = (amount: number) => format.money(amount, currency)
  const amountOf = (name: 'processor_fee' | 'net') => {
    const amount = figures[name]
    if (amount !== null) return { value: money(amount) }
    const code = reasons[name]?.code
    return { value: reports.unknown, about: code && reports.reasons[code] }
  }
  return [
    {
      name: reports.ofRegistrations,
      value: format.number(figures.registrations),
      about: page.tickets(tickets),
    },
    { name: reports.gross, value: money(figures.gross) },
    { name: reports.serviceFee, value: money(figures.service_fee) },
    { name: reports.processorFee, ...amountOf('processor_fee') },
    {
      name: reports.refunds,
      value: money(figures.refunds),
      about: figures.refunds === 0 ? undefined : reports.refundsAbout,
    },
    { name: reports.net, ...amountOf('net') },
    { name: reports.checkIns, value: format.number(figures.check_ins) },
  ]
}
