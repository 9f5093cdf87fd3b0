import { DoorNote, findToLookAt, type ToLookAt } from '#faces/dashboard/entrance/door-parts.tsx'
import { ExtraMark } from '#faces/dashboard/frame/extra-mark.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { findPaused, PausedNote } from '#faces/dashboard/frame/paused.tsx'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { isUnnotified, UnnotifiedNote } from '#faces/dashboard/mailing/unnotified-note.tsx'
import { type Reviewing, ReviewNote, readReviewing } from '#faces/dashboard/programme/review-note.tsx'
import { Amounts } from '#faces/dashboard/selling/amounts.tsx'
import { Sales } from '#faces/dashboard/selling/sales.tsx'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Live, type StatProps, Stats } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import { may } from '#product/administration/users/roles.ts'
import * as events from '#product/catalog/events/rules.ts'
import { ticketsAmong } from '#product/catalog/registration-types/kinds.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { capacityOf, sumCapacity } from '#product/catalog/registration-types/shared-capacity.ts'
import { figures } from '#product/reporting/figures/rules.ts'
import type { Figures } from '#product/reporting/figures/schemas.ts'
import { sumSales } from '#product/reporting/figures/summaries.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { readSellable, type Sellable } from '#product/selling/sellability/rules.ts'
import { Checklist, Next, UnpayableNote } from './checklist.tsx'
import { EventHead } from './event-head.tsx'
import { printPrice } from './print-price.ts'

/** The figures are looked at again this often, in seconds. */
const EVERY = 5
/** The orders that wait for payment are counted up to this many. */
const MOST_TO_PAY = 999

interface Row extends TypeDetails {
  /** It is undefined until the check-ins are counted. */
  checkIns: number | undefined
}

const typeList: List<Row> = {
  caption: texts => texts.overview.byType,
  columns: [
    {
      label: texts => texts.overview.type,
      place: 'name',
      cell: ({ name, kind }, { texts }) => (
        <>
          <bdi>{name}</bdi>
          <ExtraMark kind={kind} texts={texts} />
        </>
      ),
    },
    {
      label: texts => texts.events.sold,
      place: 'line',
      cell: ({ sold, capacity, pools, available }, { texts, format }) => {
        const text = texts.events.soldOf(format.number(sold), format.number(capacityOf({ capacity, pools })))
        return available === 0 ? texts.overview.soldOut(text) : text
      },
    },
    {
      label: texts => texts.overview.checkedIn,
      place: 'wide',
      isNumber: true,
      cell: ({ checkIns }, { format }) => (checkIns === undefined ? '…' : format.number(checkIns)),
    },
    {
      label: texts => texts.overview.price,
      place: 'amount',
      isNumber: true,
      cell: printPrice,
    },
  ],
}

interface Loaded {
  /** What a draft lacks to be published. */
  missing: readonly events.Missing[]
  /** The name of the account in addresses. */
  slug: string | null
  sellable: Sellable
  figures: Figures
  now: number
  /** Since when mails and payments are held, in Unix milliseconds. */
  paused: number | null
  isUnnotified: boolean
  reviewing: readonly Reviewing[]
  /** The orders that wait for payment, `MOST_TO_PAY` and one at most. It is 0 for members who do not see orders. */
  toPay: number
  /** The scans at the doors that need a look. It is undefined for members who do not decide on them. */
  toLookAt: ToLookAt | undefined
}

export const overview = showPage('event', {
  path: '/e/{event}',
  permission: 'overview',
  navigation: { icon: 'home', text: texts => texts.navigation.overview },
  prepare: async (services, request): Promise<Loaded> => {
    const { db, clock, exactCounts, payments } = services
    const { account, event } = request
    return {
      ...(await db.read(account.id, async tx => ({
        isUnnotified: await isUnnotified(tx, request),
        reviewing: await readReviewing(tx, request, services, event.id),
        toLookAt: await findToLookAt(tx, request),
        toPay: may(request.member.role, 'guests.read')
          ? await orders.countToPay(tx, event.id, MOST_TO_PAY + 1)
          : 0,
        sellable: await readSellable(tx, event, payments.processors, clock()),
        missing: event.status === 'draft' ? await events.findMissing(tx, event.id) : [],
        slug: (await accounts.getDetails(tx)).slug,
      }))),
      paused: await findPaused(services, request),
      figures: await figures(db, account.id, event.id, exactCounts),
      now: clock(),
    }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.navigation.overview,
    namesEvent: true,
    body: <Overview loaded={loaded} request={request} />,
  }),
})

function Overview({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice } = request
  const { texts, format } = voice
  const { sellable, figures, now } = loaded
  const { types } = sellable
  const { counted, counted_at: countedAt, is_exact: isExact } = figures
  const rows = types.map(type => ({
    ...type,
    checkIns: counted === null ? undefined : (counted.check_ins_by_type[type.id] ?? 0),
  }))
  return (
    <>
      <EventHead slug={loaded.slug} request={request} />
      <div class="stack">
        <ReviewNote reviewing={loaded.reviewing} request={request} />
        <PausedNote since={loaded.paused} request={request} />
        <UnnotifiedNote isUnnotified={loaded.isUnnotified} request={request} />
        <Live id="figures" every={EVERY}>
          <DoorNote toLookAt={loaded.toLookAt} request={request} />
          {event.status === 'draft' ? (
            <Checklist missing={loaded.missing} sellable={sellable} request={request} />
          ) : (
            <UnpayableNote sellable={sellable} request={request} />
          )}
          {event.status === 'published' && types.every(({ sold }) => sold === 0) && (
            <Next request={request} />
          )}
          <Stats label={texts.overview.figures} stats={statsOf(loaded, request)} />
          {!isExact && (
            <p class="small quiet">
              {countedAt === null
                ? texts.overview.counting
                : texts.overview.countedAt(format.dateTime(countedAt))}
            </p>
          )}
          {counted !== null && <Sales sales={counted.sales} voice={voice} now={now} />}
          {types.length > 0 && <Table list={typeList} rows={rows} voice={voice} hasHeading />}
        </Live>
        {event.description !== null && (
          <section class="card" aria-labelledby="description">
            <h2 id="description">{texts.overview.description}</h2>
            <Markdown text={event.description} />
          </section>
        )}
      </div>
    </>
  )
}

/** Returns the figures. Only members who may read reports see what was charged. */
function statsOf(
  { sellable, figures: { counted }, toPay }: Loaded,
  { event, member, voice }: EventRequest,
): StatProps[] {
  const { texts, format } = voice
  const types = ticketsAmong(sellable.types)
  const sold = types.reduce((total, type) => total + type.sold, 0)
  const pools = new Map(types.flatMap(type => type.pools.map(pool => [pool.id, pool])))
  const capacity = sumCapacity(types, [...pools.values()])
  const stats: StatProps[] = [
    {
      name: texts.overview.ticketsSold,
      value: format.number(sold),
      of: texts.overview.of(format.number(capacity)),
      meter: { value: sold, max: capacity, label: format.percent(sold, capacity) },
    },
  ]
  if (toPay > 0) {
    const number = texts.guests.counted(format.number(Math.min(toPay, MOST_TO_PAY)), toPay > MOST_TO_PAY)
    const href = withQuery(paths.orders(event.id), { state: 'payment' })
    stats.push({ name: texts.overview.toPay, value: <a href={href}>{number}</a> })
  }
  if (counted === null) return stats
  const amounts = sumSales(counted.sales)
  if (Object.keys(amounts).length > 0 && may(member.role, 'reports')) {
    stats.push({
      name: texts.overview.charged,
      value: <Amounts amounts={amounts} format={format} />,
      about: texts.overview.chargedAbout,
    })
  }
  stats.push({
    name: texts.overview.checkedIn,
    value: format.number(types.reduce((sum, { id }) => sum + (counted.check_ins_by_type[id] ?? 0), 0)),
    of: texts.overview.of(format.number(sold)),
  })
  return stats
}
