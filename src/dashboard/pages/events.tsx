import * as events from '../../events/rules.ts'
import type { Event } from '../../events/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { may } from '../../users/roles.ts'
import { ButtonLink, Empty, Head } from '../../web/components/parts.tsx'
import { type List, Pages, Table } from '../../web/lists/list.tsx'
import type { OfAccount } from '../asked.ts'
import { EventStatus } from '../event-status.tsx'
import { readCursor, toNext } from '../list-page.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PER_PAGE = 25

interface Row extends Event {
  /** Tickets of all types. */
  places: { sold: number; capacity: number }
}

const list: List<Row> = {
  caption: texts => texts.events.caption,
  columns: [
    {
      label: texts => texts.events.name,
      place: 'name',
      cell: event => (
        <a href={paths.event(event.id)}>
          <bdi>{event.title}</bdi>
        </a>
      ),
    },
    {
      label: texts => texts.events.state,
      place: 'line',
      cell: ({ status }, { texts }) => <EventStatus status={status} texts={texts} />,
    },
    {
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
    {
      label: texts => texts.events.sold,
      place: 'amount',
      isNumber: true,
      cell: ({ places }, { texts, format }) =>
        texts.events.soldOf(format.number(places.sold), format.number(places.capacity)),
    },
  ],
}

/** The events of an account: the first page of whoever has signed in. */
export const eventsPage = showPage('account', {
  path: '/a/{account}',
  permission: 'overview',
  navigation: { icon: 'calendar', text: texts => texts.navigation.events },
  load: async (tx, asked, { cursors }) => {
    const { account, member } = asked
    const scope = `events ${account.id}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, asked) }
    const found = [...(await events.list(tx, account.id, page))]
    const places = await registrationTypes.sumPlaces(tx, account.id)
    const rows = found
      .map(({ resource }) => resource)
      .filter(({ id }) => member.event_ids === null || member.event_ids.includes(id))
      .slice(0, PER_PAGE)
      .map(event => ({ ...event, places: places.get(event.id) ?? { sold: 0, capacity: 0 } }))
    return { rows, next: toNext(cursors, scope, found, PER_PAGE) }
  },
  view: ({ rows, next }, asked) => ({
    title: asked.voice.texts.events.title,
    body: <EventList rows={rows} next={next} asked={asked} />,
  }),
})

function EventList({
  rows,
  next,
  asked,
}: {
  rows: readonly Row[]
  next: string | undefined
  asked: OfAccount
}) {
  const { voice, account, member, query } = asked
  const { texts } = voice
  const create = may(member.role, 'events.edit') && (
    <ButtonLink href={paths.newEvent(account.id)} main>
      {texts.events.newEvent}
    </ButtonLink>
  )
  const path = paths.events(account.id)
  const after = query.get('after') ?? undefined
  if (rows.length === 0 && after === undefined) {
    return (
      <>
        <Head title={texts.events.title} />
        <Empty icon="calendar" title={texts.events.none} action={create}>
          {texts.events.noneAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head title={texts.events.title} actions={create} />
      <Table list={list} rows={rows} voice={voice} />
      <Pages path={path} query={{ after }} shown={rows.length} next={next} texts={texts} />
    </>
  )
}
