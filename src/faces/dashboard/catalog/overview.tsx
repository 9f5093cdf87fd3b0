import type { ComponentChildren } from 'preact'
import * as accounts from '../../accounts/rules.ts'
import * as events from '../../events/rules.ts'
import type { Event } from '../../events/schemas.ts'
import { figures } from '../../figures/rules.ts'
import type { Figures } from '../../figures/schemas.ts'
import { sumSales } from '../../figures/summaries.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { may } from '../../users/roles.ts'
import { Markdown } from '../../web/components/markdown.tsx'
import { ButtonLink, Head, Live, type StatProps, Stats } from '../../web/components/parts.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import type { Voice } from '../../web/voice.ts'
import { Amounts } from '../amounts.tsx'
import type { OfEvent } from '../asked.ts'
import { DoorNote, findToLookAt, type ToLookAt } from '../door-parts.tsx'
import { paths } from '../paths.ts'
import { Sales } from '../sales.tsx'
import { showPage } from '../show.tsx'
import { isUntold, UntoldNote } from '../untold-note.tsx'
import { StatusButtons } from './status.tsx'

/** How often figures are looked at again, in seconds. */
const EVERY = 5

interface Row extends TypeDetails {
  /** Undefined while that is not counted. */
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
  /** Of a draft: what it lacks to be published. */
  missing: readonly events.Missing[]
  /** Of the account, in addresses. */
  slug: string | null
  types: readonly TypeDetails[]
  figures: Figures
  now: number
  isUntold: boolean
  /** At the doors; undefined for those who do not decide on it. */
  toLookAt: ToLookAt | undefined
}

export const overview = showPage('event', {
  path: '/e/{event}',
  permission: 'overview',
  navigation: { icon: 'home', text: texts => texts.navigation.overview },
  prepare: async ({ db, clock, exactCounts }, asked): Promise<Loaded> => {
    const { account, event } = asked
    return {
      ...(await db.read(async tx => ({
        isUntold: await isUntold(tx, asked),
        toLookAt: await findToLookAt(tx, asked),
        types: await registrationTypes.listDetails(tx, account.id, event.id),
        missing: event.status === 'draft' ? await events.findMissing(tx, account.id, event.id) : [],
        slug: (await accounts.getDetails(tx, account.id)).slug,
      }))),
      figures: await figures(db, account.id, event.id, exactCounts),
      now: clock(),
    }
  },
  view: (loaded, asked) => ({
    title: asked.voice.texts.navigation.overview,
    body: <Overview loaded={loaded} asked={asked} />,
  }),
})

function Overview({ loaded, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { event, voice } = asked
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
            <StatusButtons asked={asked} />
          </>
        }
      />
      <div class="stack">
        <UntoldNote isUntold={loaded.isUntold} asked={asked} />
        <Live id="figures" every={EVERY}>
          <DoorNote toLookAt={loaded.toLookAt} asked={asked} />
          {event.status === 'draft' && <Checklist loaded={loaded} asked={asked} />}
          {event.status === 'published' && types.every(({ sold }) => sold === 0) && <Next asked={asked} />}
          <Stats label={texts.overview.figures} stats={statsOf(loaded, asked)} />
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

/** What was charged is for those who read the reports. */
function statsOf({ types, figures: { counted } }: Loaded, { member, voice }: OfEvent): StatProps[] {
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

/** What is left to do before an event is published. */
function Checklist({ loaded: { types, missing }, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { account, event, member, voice } = asked
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
  // The settings of the organization are for those who have all its events.
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

/** Where to go on from a published event for which nobody has a ticket. */
function Next({ asked }: { asked: OfEvent }) {
  const { event, member, voice } = asked
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
