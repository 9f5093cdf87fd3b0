import type { ReadTx } from '../../db/port.ts'
import * as events from '../../events/rules.ts'
import type { Event } from '../../events/schemas.ts'
import { type Summary, summarize } from '../../figures/summaries.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { may } from '../../users/roles.ts'
import { ButtonLink, Empty, Head } from '../../web/components/parts.tsx'
import { type Column, type List, Pages, Table } from '../../web/lists/list.tsx'
import { Amounts } from '../amounts.tsx'
import type { OfAccount, Services } from '../asked.ts'
import { EventStatus } from '../event-status.tsx'
import { readCursor, toNext } from '../list-page.ts'
import { findNeeds, type Needs, NeedsYou } from '../needs.tsx'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PER_PAGE = 25

interface Row extends Event {
  /** Tickets of all types. */
  places: { sold: number; capacity: number }
  /** Undefined where it would take too long. */
  summary: Summary | undefined
}

const columns = {
  name: {
    label: texts => texts.events.name,
    place: 'name',
    cell: event => (
      <a href={paths.event(event.id)}>
        <bdi>{event.title}</bdi>
      </a>
    ),
  },
  state: {
    label: texts => texts.events.state,
    place: 'line',
    cell: ({ status }, { texts }) => <EventStatus status={status} texts={texts} />,
  },
  date: {
    label: texts => texts.events.date,
    place: 'when',
    isNumber: true,
    cell: ({ starts_at, ends_at }, { texts, format }) => {
      if (starts_at === null) return texts.events.noDate
      return (
        <time datetime={starts_at}>
          {ends_at === null ? format.date(starts_at) : format.dates(starts_at, ends_at)}
        </time>
      )
    },
  },
  checkedIn: {
    label: texts => texts.events.checkedIn,
    place: 'wide',
    isNumber: true,
    cell: ({ summary }, { texts, format }) =>
      summary === undefined ? (
        '…'
      ) : (
        <>
          {format.number(summary.check_ins)}
          {summary.counted_at !== null && (
            <span class="small quiet"> {texts.events.at(format.dayTime(summary.counted_at))}</span>
          )}
        </>
      ),
  },
  charged: {
    label: texts => texts.events.charged,
    place: 'wide',
    isNumber: true,
    cell: ({ summary }, { format }) =>
      summary === undefined ? '…' : <Amounts amounts={summary.amounts} format={format} />,
  },
  sold: {
    label: texts => texts.events.sold,
    place: 'amount',
    isNumber: true,
    cell: ({ places }, { texts, format }) =>
      texts.events.soldOf(format.number(places.sold), format.number(places.capacity)),
  },
} satisfies Record<string, Column<Row>>

/** What was charged is for those who read the reports, and only where anything was. */
function listFor(rows: readonly Row[], { member }: OfAccount): List<Row> {
  const { name, state, date, checkedIn, charged, sold } = columns
  const isCharged = rows.some(({ summary }) => Object.keys(summary?.amounts ?? {}).length > 0)
  const money = isCharged && may(member.role, 'reports') ? [charged] : []
  return { caption: texts => texts.events.caption, columns: [name, state, date, checkedIn, ...money, sold] }
}

interface Loaded {
  rows: readonly Row[]
  next: string | undefined
}

/** The events of an account: the first page of whoever has signed in. */
export const eventsPage = showPage('account', {
  path: '/a/{account}',
  permission: 'overview',
  navigation: { icon: 'calendar', text: texts => texts.navigation.events },
  prepare: async (services, asked) => ({
    ...(await services.db.read(tx => load(tx, asked, services))),
    needs: await findNeeds(services, asked),
  }),
  view: (loaded, asked) => ({
    title: asked.voice.texts.events.title,
    body: <EventList {...loaded} asked={asked} />,
  }),
})

async function load(tx: ReadTx, asked: OfAccount, services: Services): Promise<Loaded> {
  const { account } = asked
  const { found, next } = await findEvents(tx, asked, services)
  const places = await registrationTypes.sumPlaces(tx, account.id)
  const summaries = await summarize(
    tx,
    account.id,
    found.map(({ id }) => id),
  )
  const rows = found.map(event => ({
    ...event,
    places: places.get(event.id) ?? { sold: 0, capacity: 0 },
    summary: summaries.get(event.id),
  }))
  return { rows, next }
}

interface Found {
  found: readonly Event[]
  next: string | undefined
}

/** A member who has not all events has few: they are on one page. */
async function findEvents(tx: ReadTx, asked: OfAccount, { cursors }: Services): Promise<Found> {
  const { account, member } = asked
  if (member.event_ids !== null) {
    const found: Event[] = []
    for (const id of member.event_ids) found.push(await events.get(tx, account.id, id))
    found.sort((one, other) => ((one.created_at ?? '') < (other.created_at ?? '') ? 1 : -1))
    return { found, next: undefined }
  }
  const scope = `events ${account.id}`
  const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, asked) }
  const listed = [...(await events.list(tx, account.id, page))]
  const found = listed.slice(0, PER_PAGE).map(({ resource }) => resource)
  return { found, next: toNext(cursors, scope, listed, PER_PAGE) }
}

function EventList({ rows, next, needs, asked }: Loaded & { needs: Needs; asked: OfAccount }) {
  const { voice, account, member, query } = asked
  const { texts } = voice
  const create = may(member.role, 'events.edit') && member.event_ids === null && (
    <ButtonLink href={paths.newEvent(account.id)} main>
      {texts.events.newEvent}
    </ButtonLink>
  )
  const path = paths.events(account.id)
  const after = query.get('after') ?? undefined
  const isEmpty = rows.length === 0 && after === undefined
  return (
    <>
      <Head title={texts.events.title} actions={isEmpty ? undefined : create} />
      <div class="stack">
        <NeedsYou needs={needs} asked={asked} />
        {isEmpty ? (
          <Empty icon="calendar" title={texts.events.none} action={create}>
            {texts.events.noneAbout}
          </Empty>
        ) : (
          <div>
            <Table list={listFor(rows, asked)} rows={rows} voice={voice} />
            <Pages path={path} query={{ after }} shown={rows.length} next={next} texts={texts} />
          </div>
        )}
      </div>
    </>
  )
}
