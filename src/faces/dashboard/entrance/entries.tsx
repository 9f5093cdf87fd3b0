import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Banner, Empty, Head, Stats } from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import {
  countEntries,
  type EntryCounts,
  type EntryHour,
  MOST_ENTRIES,
} from '#product/entrance/check-ins/entry-hours.ts'
import { OF_DOORS } from './door-parts.tsx'

/** Counts the entries of tickets that admit more than once, by day and hour. */
export const entriesPage = showPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/entries',
  prepare: ({ db, clock }, { account, event }) => countEntries(db, account.id, event, clock()),
  view: (counts, request) => ({
    title: request.voice.texts.entries.title,
    body: <Entries counts={counts} request={request} />,
  }),
})

function Entries({ counts, request }: { counts: EntryCounts; request: EventRequest }) {
  const { event, voice } = request
  const { texts, format } = voice
  const { title, about, inside, none, noneAbout, tooMany } = texts.entries
  return (
    <>
      <Head title={title} about={about} crumbs={<a href={paths.doors(event.id)}>{texts.doors.title}</a>} />
      {counts.hours.length === 0 ? (
        <Empty icon="door" title={none}>
          {noneAbout}
        </Empty>
      ) : (
        <div class="stack">
          <Stats label={title} stats={[{ name: inside, value: format.number(counts.inside) }]} />
          {counts.isMore && (
            <Banner tone="warn">
              <p>{tooMany(format.number(MOST_ENTRIES))}</p>
            </Banner>
          )}
          <Table list={list} rows={counts.hours} voice={voice} />
        </div>
      )}
    </>
  )
}

/** On a phone the columns have no heads, so the hour says what each number counts. */
function Hour({ hour: { at, entered, left }, voice: { texts, format } }: { hour: EntryHour; voice: Voice }) {
  const counts = [
    `${texts.entries.entered} ${format.number(entered)}`,
    `${texts.entries.left} ${format.number(left)}`,
  ]
  return (
    <>
      {format.time(at)}
      <div class="only-narrow small quiet">{counts.join(' · ')}</div>
    </>
  )
}

const list: List<EntryHour> = {
  caption: texts => texts.entries.caption,
  columns: [
    { label: texts => texts.entries.day, place: 'name', cell: ({ day }, { format }) => format.day(day) },
    {
      label: texts => texts.entries.hour,
      place: 'line',
      cell: (hour, voice) => <Hour hour={hour} voice={voice} />,
    },
    {
      label: texts => texts.entries.entered,
      place: 'wide',
      isNumber: true,
      cell: ({ entered }, { format }) => format.number(entered),
    },
    {
      label: texts => texts.entries.left,
      place: 'wide',
      isNumber: true,
      cell: ({ left }, { format }) => format.number(left),
    },
  ],
}
