import { LocalDays } from '#base/time.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Banner, ButtonLink, Empty, Head, Tabs } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { listUnplaced, type Placeable } from '#product/programme/timetable/placeable.ts'
import type { TimedSession } from '#product/programme/timetable/schemas.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { DayByRoom } from './day.tsx'
import { Dragging } from './dragging.tsx'
import { type Programme, readProgramme } from './read-programme.ts'
import { addressOf, readFilter, Unplaced } from './unplaced.tsx'
import { tellWarnings, WarningList } from './warnings.tsx'

/** So many warnings stand above the sessions. */
const FEW = 10

interface Loaded extends Programme {
  unplaced: readonly Placeable[]
  /** The number of the version that is public. */
  published: number | null
}

/** Shows the programme of an event, a day at a time, with the accepted abstracts that have no place. */
export const programmePage = showPage('event', {
  path: '/e/{event}/programme',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  prepare: async (services, request): Promise<Loaded> => {
    const { account, event } = request
    const programme = await readProgramme(services, request)
    return services.db.read(account.id, async tx => {
      const unplaced = await listUnplaced(tx, event.id, programme)
      const { published } = await versions.getState(tx, event.id)
      return { ...programme, unplaced, published }
    })
  },
  view: (loaded, request) => ({
    title: request.voice.texts.timetable.title,
    style: 'programme.css',
    body: <Overview {...loaded} request={request} />,
  }),
})

/** Returns the sessions by the day on which they begin. */
function byDay(sessions: readonly TimedSession[], timezone: string): Map<string, TimedSession[]> {
  const days = new LocalDays(timezone)
  const found = new Map<string, TimedSession[]>()
  for (const session of sessions) {
    const { date } = days.of(session.starts_at)
    const some = found.get(date)
    if (some === undefined) found.set(date, [session])
    else some.push(session)
  }
  return found
}

function Overview({ request, ...loaded }: Loaded & { request: EventRequest }) {
  const { event, voice } = request
  const { texts, format } = voice
  const { timetable, unplaced, published } = loaded
  const about =
    published === null ? texts.timetable.about : texts.timetable.aboutPublished(format.number(published))
  const days = byDay(timetable.sessions, event.timezone)
  const filter = readFilter(request)
  const day = days.has(filter.day ?? '') ? filter.day : [...days.keys()][0]
  const shown = day === undefined ? [] : (days.get(day) ?? [])
  const add = (
    <ButtonLink href={withQuery(paths.programme(event.id, 'sessions/new'), { day })} main>
      {texts.timetable.newSession}
    </ButtonLink>
  )
  return (
    <>
      <Head
        title={texts.timetable.title}
        crumbs={<a href={paths.abstracts(event.id)}>{texts.abstracts.title}</a>}
        about={`${about} ${texts.timetable.zone(event.timezone)}`}
        actions={
          <>
            {days.size > 0 && (
              <ButtonLink href={paths.programme(event.id, 'publish')}>{texts.publishing.open}</ButtonLink>
            )}
            <ButtonLink href={paths.programme(event.id, 'rooms')}>{texts.timetable.rooms}</ButtonLink>
            {days.size > 0 && add}
          </>
        }
      />
      <Dragging here={addressOf(request, { ...filter, day })} request={request}>
        <Warned {...loaded} request={request} />
        <div class="stack with-unplaced">
          {days.size === 0 ? (
            <Empty icon="calendar" title={texts.timetable.none} action={add}>
              {texts.timetable.noneAbout}
            </Empty>
          ) : (
            <div>
              <Tabs
                label={texts.timetable.days}
                tabs={[...days].map(([date, sessions]) => ({
                  ...{ href: addressOf(request, { ...filter, day: date }), text: format.day(date) },
                  ...{ isCurrent: date === day, count: format.number(sessions.length) },
                }))}
              />
              <DayByRoom {...loaded} sessions={shown} request={request} />
            </div>
          )}
          <Unplaced {...loaded} unplaced={unplaced} filter={{ ...filter, day }} request={request} />
        </div>
      </Dragging>
    </>
  )
}

function Warned({ timetable, warnings, request }: Programme & { request: EventRequest }) {
  const { event, voice } = request
  const { timetable: texts } = voice.texts
  if (warnings.length === 0) return null
  return (
    <Banner tone="warn">
      <details id="warnings">
        <summary>{tellWarnings(warnings, voice)}</summary>
        <p class="quiet">{texts.warningsAbout}</p>
        <WarningList timetable={timetable} warnings={warnings.slice(0, FEW)} request={request} />
        {warnings.length > FEW && (
          <p>
            <a href={paths.programme(event.id, 'warnings')}>{texts.allWarnings}</a>
          </p>
        )}
      </details>
    </Banner>
  )
}
