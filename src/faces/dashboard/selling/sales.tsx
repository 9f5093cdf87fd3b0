import { DAY, LocalDays, toIso } from '#base/time.ts'
import { BarChart } from '#machinery/web/components/chart.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { DayOfSales } from '#product/reporting/figures/schemas.ts'

/** The most days that a chart has room for on a phone. */
const MOST_DAYS = 60

interface DayOfTickets {
  /** The day, as `YYYY-MM-DD`. */
  day: string
  tickets: number
}

/** Shows the tickets by day as a chart, with a table behind it. */
export function Sales({ sales, voice, now }: { sales: readonly DayOfSales[]; voice: Voice; now: number }) {
  const { overview: texts, page } = voice.texts
  const { format } = voice
  const days = daysOf(sales, new LocalDays(format.timezone).of(now).date)
  const [first, last] = [days[0], days.at(-1)]
  const tell = ({ tickets }: DayOfTickets) => page.tickets(tickets)
  return (
    <section class="card" aria-labelledby="sales">
      <h2 id="sales">{texts.sales}</h2>
      {first === undefined || last === undefined ? (
        <p class="quiet">{texts.salesNone}</p>
      ) : (
        <SalesPicture days={days} first={first} last={last} voice={voice} tell={tell} />
      )}
    </section>
  )
}

interface PictureProps {
  days: readonly DayOfTickets[]
  first: DayOfTickets
  last: DayOfTickets
  voice: Voice
  tell: (day: DayOfTickets) => string
}

function SalesPicture({ days, first, last, voice, tell }: PictureProps) {
  const { texts, format } = voice
  const most = days.reduce((best, each) => (each.tickets > best.tickets ? each : best))
  const highest = texts.overview.salesMost(tell(most), format.day(most.day))
  const bars = days.map(each => ({
    key: each.day,
    value: each.tickets,
    text: `${format.day(each.day)}: ${tell(each)}`,
  }))
  return (
    <>
      <p class="small quiet">
        {days.length === MOST_DAYS && `${texts.overview.salesLast(MOST_DAYS)}. `}
        {highest}
      </p>
      <div class="figure">
        <BarChart
          bars={bars}
          label={texts.overview.salesLabel(format.day(first.day), format.day(last.day), highest)}
        />
        <p class="axis">
          <span>{format.day(first.day)}</span>
          {last !== first && <span>{format.day(last.day)}</span>}
        </p>
      </div>
      <details id="sales-table">
        <summary>{texts.page.asTable}</summary>
        <table>
          <caption class="hidden">{texts.overview.sales}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.overview.day}</th>
              <th scope="col" class="num">
                {texts.overview.tickets}
              </th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ tickets }) => tickets > 0)
              .reverse()
              .map(({ day, tickets }) => (
                <tr key={day}>
                  <th scope="row">
                    <time datetime={day}>{format.day(day)}</time>
                  </th>
                  <td class="num">{format.number(tickets)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

/**
 * Returns each day from the first sale to today, also days without a sale, but at most the last sixty. If nothing was sold in the
 * last sixty days, the range ends on the day of the last sale.
 */
export function daysOf(sales: readonly DayOfSales[], today: string): DayOfTickets[] {
  const [first, last] = [sales[0], sales.at(-1)]
  if (first === undefined || last === undefined) return []
  const isRecent = Date.parse(today) - Date.parse(last.day) < MOST_DAYS * DAY
  const end = Date.parse(isRecent && today > last.day ? today : last.day)
  const begin = Math.max(Date.parse(first.day), end - (MOST_DAYS - 1) * DAY)
  const tickets = new Map(sales.map(each => [each.day, each.tickets]))
  const days: DayOfTickets[] = []
  for (let at = begin; at <= end; at += DAY) {
    const day = toIso(at).slice(0, 10)
    days.push({ day, tickets: tickets.get(day) ?? 0 })
  }
  return days
}
