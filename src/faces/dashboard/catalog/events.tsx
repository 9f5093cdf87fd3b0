import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import { findNeeds, type Needs, NeedsYou } from '#faces/dashboard/frame/needs.tsx'
import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { type Reviewing, ReviewNote, readReviewing } from '#faces/dashboard/programme/review-note.tsx'
import { Amounts } from '#faces/dashboard/selling/amounts.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Empty, Head, NamedLink, Pill, Tabs } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type Column, type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { may } from '#product/administration/users/roles.ts'
import * as lists from '#product/catalog/events/lists.ts'
import { type EventList, eventLists, type ListedEvent } from '#product/catalog/events/lists.ts'
import type { EventOutline } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { type Summary, summarize } from '#product/reporting/figures/summaries.ts'
import { EventStatus } from './event-status.tsx'
import { firstPageOf } from './first-page.ts'

const PER_PAGE = 25

interface Row extends EventOutline {
  list: EventList
  /** The dates of a series that are folded into the row. Its sums are those of all of them. */
  folded: ListedEvent['folded']
  /** The tickets of all types. */
  places: { sold: number; capacity: number }
  /** It is undefined if it would take too long to count. */
  summary: Summary | undefined
}

const columns = {
  state: {
    label: texts => texts.events.state,
    place: 'line',
    cell: ({ status, folded }, { texts }) =>
      folded === undefined ? (
        <EventStatus status={status} texts={texts} />
      ) : (
        <Pill tone={undefined}>{texts.series.dateCount(folded.ids.length)}</Pill>
      ),
  },
  date: {
    label: texts => texts.events.date,
    place: 'when',
    isNumber: true,
    cell: (row, voice) => <RowDate row={row} voice={voice} />,
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

/** Shows when an event is; of a series the next date, or from when until when its dates are where none is to come. */
function RowDate({ row, voice: { texts, format } }: { row: Row; voice: Voice }) {
  const { starts_at, ends_at, folded, list } = row
  if (folded !== undefined && list !== 'to_come') {
    if (folded.span === null) return texts.events.noDate
    const { from, until } = folded.span
    return <time datetime={from}>{format.dates(from, until)}</time>
  }
  if (starts_at === null) return texts.events.noDate
  const date = ends_at === null ? format.date(starts_at) : format.dates(starts_at, ends_at)
  return (
    <time datetime={starts_at}>
      {folded === undefined ? date : texts.series.nextDate(format.date(starts_at))}
    </time>
  )
}

/** Returns the columns. Only members who may read reports see what was charged, and only if anything was. */
function listFor(rows: readonly Row[], { account, member }: AccountRequest): List<Row> {
  const { state, date, checkedIn, charged, sold } = columns
  const name: Column<Row> = {
    label: texts => texts.events.name,
    place: 'name',
    cell: ({ id, title, folded }) =>
      folded === undefined ? (
        <NamedLink href={firstPageOf(id, member)} name={title} />
      ) : (
        <NamedLink href={paths.series(account.id, folded.series.id)} name={folded.series.name} />
      ),
  }
  const isCharged = rows.some(({ summary }) => Object.keys(summary?.amounts ?? {}).length > 0)
  const money = isCharged && may(member.role, 'reports') ? [charged] : []
  return { caption: texts => texts.events.caption, columns: [name, state, date, checkedIn, ...money, sold] }
}

interface Loaded {
  list: EventList
  counts: Record<EventList, number>
  rows: readonly Row[]
  next: string | undefined
}

/** Lists the events of an account, in four parts. It is the first page after the sign-in. */
export const eventsPage = showPage('account', {
  path: '/a/{account}',
  permission: 'overview',
  navigation: { icon: 'calendar', text: texts => texts.navigation.events },
  prepare: async (services, request) => ({
    ...(await services.db.read(request.account.id, async tx => ({
      ...(await load(tx, request, services)),
      reviewing: await readReviewing(tx, request, services),
    }))),
    needs: await findNeeds(services, request),
  }),
  view: (loaded, request) => ({
    title: request.voice.texts.events.title,
    body: <Events {...loaded} request={request} />,
  }),
})

async function load(tx: ReadTx, request: AccountRequest, services: Services): Promise<Loaded> {
  const { found, ...listed } = await findEvents(tx, request, services)
  const places = await registrationTypes.sumPlaces(tx)
  const ids = found.map(({ event, folded }) => folded?.ids ?? [event.id])
  const summaries = await summarize(tx, ids)
  const rows = found.map(({ event, folded }, at) => ({
    ...{ ...event, folded, list: listed.list },
    places: sumOf((ids[at] ?? []).flatMap(id => places.get(id) ?? [])),
    summary: summaries[at],
  }))
  return { ...listed, rows }
}

function sumOf(places: readonly Row['places'][]): Row['places'] {
  const sum = (name: 'sold' | 'capacity') => places.reduce((all, each) => all + each[name], 0)
  return { sold: sum('sold'), capacity: sum('capacity') }
}

interface Found extends Omit<Loaded, 'rows'> {
  found: readonly ListedEvent[]
}

/** A member who has only some events has few, so they fit on one page. */
async function findEvents(tx: ReadTx, request: AccountRequest, services: Services): Promise<Found> {
  const { account, member } = request
  const { cursors, clock } = services
  const now = clock()
  if (member.event_ids !== null) {
    const sorted = await lists.sortAmong(tx, member.event_ids, now)
    const counts = mapLists(list => sorted[list].length)
    const list = chooseList(request, counts)
    return { list, counts, found: sorted[list], next: undefined }
  }
  const counts = await lists.countLists(tx, now)
  const list = chooseList(request, counts)
  const scope = `events ${account.id} ${list}`
  const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
  const listed = await lists.listPart(tx, list, now, page)
  return {
    ...{ list, counts, found: listed.slice(0, PER_PAGE) },
    next: toNext(cursors, scope, listed, PER_PAGE),
  }
}

function mapLists(countOf: (list: EventList) => number): Record<EventList, number> {
  return Object.fromEntries(eventLists.map(list => [list, countOf(list)])) as Record<EventList, number>
}

/** Returns the list that the address names, or else the first one that has events. Nobody comes for the archived ones. */
function chooseList({ query }: AccountRequest, counts: Record<EventList, number>): EventList {
  const named = eventLists.find(list => list === query.get('list'))
  return named ?? (['to_come', 'drafts', 'past'] as const).find(list => counts[list] > 0) ?? 'to_come'
}

type EventsProps = Loaded & { needs: Needs; reviewing: readonly Reviewing[]; request: AccountRequest }

function Events({ needs, reviewing, request, ...loaded }: EventsProps) {
  const { voice, account, member } = request
  const { texts } = voice
  const create = may(member.role, 'events.edit') && member.event_ids === null && (
    <ButtonLink href={paths.newEvent(account.id)} main>
      {texts.events.newEvent}
    </ButtonLink>
  )
  const hasNone = Object.values(loaded.counts).every(count => count === 0)
  return (
    <>
      <Head title={texts.events.title} actions={hasNone ? undefined : create} />
      <div class="stack">
        <ReviewNote reviewing={reviewing} request={request} />
        <NeedsYou needs={needs} request={request} />
        {hasNone ? (
          <Empty icon="calendar" title={texts.events.none} action={create}>
            {texts.events.noneAbout}
          </Empty>
        ) : (
          <EventPart {...loaded} request={request} />
        )}
      </div>
    </>
  )
}

function EventPart({ list, counts, rows, next, request }: Loaded & { request: AccountRequest }) {
  const { voice, account, query } = request
  const { texts, format } = voice
  const path = paths.events(account.id)
  const after = query.get('after') ?? undefined
  const tab = (each: EventList) => ({
    href: withQuery(path, { list: each }),
    text: texts.events.lists[each],
    isCurrent: each === list,
    count: counts[each] === 0 ? undefined : format.number(counts[each]),
  })
  return (
    <div class="stack">
      <Tabs label={texts.events.title} tabs={eventLists.map(tab)} />
      {rows.length === 0 ? (
        <Empty icon="calendar" title={texts.events.noneInList[list]}>
          {list === 'archived' ? texts.events.archivedAbout : undefined}
        </Empty>
      ) : (
        <div>
          <Table list={listFor(rows, request)} rows={rows} voice={voice} />
          <Pages
            path={path}
            query={{ list, after }}
            shown={rows.length}
            next={next}
            texts={texts}
            isForward={list === 'to_come'}
          />
        </div>
      )}
    </div>
  )
}
