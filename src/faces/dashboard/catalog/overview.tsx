import type { ComponentChildren } from 'preact'
import { DoorNote, findToLookAt, type ToLookAt } from '#faces/dashboard/entrance/door-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { findPaused, PausedNote } from '#faces/dashboard/frame/paused.tsx'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { isUnnotified, UnnotifiedNote } from '#faces/dashboard/mailing/unnotified-note.tsx'
import { Amounts } from '#faces/dashboard/selling/amounts.tsx'
import { Sales } from '#faces/dashboard/selling/sales.tsx'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { ButtonLink, Head, Live, type StatProps, Stats } from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { may } from '#product/administration/users/roles.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { Event } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { figures } from '#product/reporting/figures/rules.ts'
import type { Figures } from '#product/reporting/figures/schemas.ts'
import { sumSales } from '#product/reporting/figures/summaries.ts'
import { StatusButtons } from './status.tsx'

/** The figures are looked at again this often, in seconds. */
const EVERY = 5

interface Row extends TypeDetails {
  /** It is undefined until the check-ins are counted. */
  checkIns: number | undefined
}

const typeList: List<Row> = {
  caption: texts => texts.overview.byType,
  columns: [
    { label: texts => texts.overview.type, place: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
    {
      label: texts => texts.events.sold,
      place: 'line',
      cell: ({ sold, capacity, available }, { texts, format }) => {
        const text = texts.events.soldOf(format.number(sold), format.number(capacity))
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
      cell: ({ price, currency }, { texts, format }) =>
        price === 0 ? texts.overview.free : format.money(price, currency),
    },
  ],
}

interface Loaded {
  /** What a draft lacks to be published. */
  missing: readonly events.Missing[]
  /** The name of the account in addresses. */
  slug: string | null
  types: readonly TypeDetails[]
  figures: Figures
  now: number
  /** Since when mails and payments are held, in Unix milliseconds. */
  paused: number | null
  isUnnotified: boolean
  /** The scans at the doors that need a look. It is undefined for members who do not decide on them. */
  toLookAt: ToLookAt | undefined
}

export const overview = showPage('event', {
  path: '/e/{event}',
  permission: 'overview',
  navigation: { icon: 'home', text: texts => texts.navigation.overview },
  prepare: async (services, request): Promise<Loaded> => {
    const { db, clock, exactCounts } = services
    const { account, event } = request
    return {
      ...(await db.read(account.id, async tx => ({
        isUnnotified: await isUnnotified(tx, request),
        toLookAt: await findToLookAt(tx, request),
        types: await registrationTypes.listDetails(tx, event.id),
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
    body: <Overview loaded={loaded} request={request} />,
  }),
})

function Overview({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice } = request
  const { texts, format } = voice
  const { types, figures, now } = loaded
  const { counted, counted_at: countedAt, is_exact: isExact } = figures
  const rows = types.map(type => ({
    ...type,
    checkIns: counted === null ? undefined : (counted.check_ins_by_type[type.id] ?? 0),
  }))
  return (
    <>
      <Head
        title={texts.navigation.overview}
        crumbs={<WhenAndWhere event={event} voice={voice} />}
        actions={
          <>
            {loaded.slug !== null && (
              <ButtonLink href={paths.publicPage(loaded.slug, event.slug)}>{texts.eventPage.see}</ButtonLink>
            )}
            <StatusButtons request={request} />
          </>
        }
      />
      <div class="stack">
        <PausedNote since={loaded.paused} request={request} />
        <UnnotifiedNote isUnnotified={loaded.isUnnotified} request={request} />
        <Live id="figures" every={EVERY}>
          <DoorNote toLookAt={loaded.toLookAt} request={request} />
          {event.status === 'draft' && <Checklist loaded={loaded} request={request} />}
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
function statsOf({ types, figures: { counted } }: Loaded, { member, voice }: EventRequest): StatProps[] {
  const { texts, format } = voice
  const sum = (key: 'sold' | 'capacity') => types.reduce((total, type) => total + type[key], 0)
  const [sold, capacity] = [sum('sold'), sum('capacity')]
  const stats: StatProps[] = [
    {
      name: texts.overview.ticketsSold,
      value: format.number(sold),
      of: texts.overview.of(format.number(capacity)),
      meter: { value: sold, max: capacity, label: format.percent(sold, capacity) },
    },
  ]
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
    value: format.number(counted.check_ins),
    of: texts.overview.of(format.number(sold)),
  })
  return stats
}

function WhenAndWhere({ event, voice }: { event: Event; voice: Voice }) {
  const { texts, format } = voice
  const { starts_at, ends_at, venue, city } = event
  const when =
    starts_at === null
      ? texts.events.noDate
      : ends_at === null
        ? format.date(starts_at)
        : format.dates(starts_at, ends_at)
  const where = [venue, city].filter(Boolean).join(', ')
  return (
    <>
      {when}
      {where !== '' && (
        <>
          {' · '}
          <bdi>{where}</bdi>
        </>
      )}
    </>
  )
}

/** Lists what is left to do before an event is published. */
function Checklist({ loaded: { types, missing }, request }: { loaded: Loaded; request: EventRequest }) {
  const { account, event, member, voice } = request
  const { overview: texts } = voice.texts
  const mayEdit = may(member.role, 'events.edit')
  const isPaid = types.some(({ active, price }) => active && price > 0)
  const lacks = (what: events.Missing) => missing.includes(what)
  const steps = [
    { text: texts.stepDate, done: !lacks('starts_at'), href: paths.editEvent(event.id) },
    { text: texts.stepTickets, done: !lacks('registration_types'), href: paths.tickets(event.id) },
    { text: texts.stepSlug, done: !lacks('slug'), settings: true },
    ...(isPaid ? [{ text: texts.stepSeller, done: !lacks('seller'), settings: true }] : []),
  ].map(step => ({ href: paths.accountSettings(account.id), settings: false, ...step }))
  // Only members who have all events may change the settings of the organization.
  const mayDo = (step: { settings: boolean }) => mayEdit && (!step.settings || member.event_ids === null)
  return (
    <Steps id="checklist" title={texts.checklist}>
      {steps.map(step => (
        <li key={step.text}>
          <span>
            {step.done ? '✓ ' : ''}
            {step.text}
          </span>
          {!step.done && mayDo(step) && <ButtonLink href={step.href}>{texts.doIt}</ButtonLink>}
        </li>
      ))}
      {mayEdit && steps.every(({ done }) => done) && <li>{texts.ready}</li>}
    </Steps>
  )
}

/** Shows the next steps of a published event without any sold ticket. */
function Next({ request }: { request: EventRequest }) {
  const { event, member, voice } = request
  const { overview, guests, navigation } = voice.texts
  if (!may(member.role, 'guests.edit')) return null
  return (
    <Steps id="next" title={overview.next}>
      <li>
        <span>{overview.stepGuests}</span>
        <ButtonLink href={paths.importGuests(event.id)}>{guests.import}</ButtonLink>
      </li>
      <li>
        <span>{overview.stepDoor}</span>
        <ButtonLink href={paths.checkIn(event.id)}>{navigation.checkIn}</ButtonLink>
      </li>
    </Steps>
  )
}

function Steps({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="todo">{children}</ul>
    </section>
  )
}
