import { Problem } from '#base/problem.ts'
import { MINUTE } from '#base/time.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Icon } from '#machinery/web/components/icon.tsx'
import { Banner, ButtonLink, Facts, Head, PostButton } from '#machinery/web/components/parts.tsx'
import type { Slot, TimedSession } from '#product/programme/timetable/schemas.ts'
import { isOfPlace } from '#product/programme/timetable/warnings.ts'
import { Dragging } from './dragging.tsx'
import { countWarnings, nameSlot, type Programme, readProgramme, roomOf } from './read-programme.ts'
import { SlotLine } from './slot-line.tsx'
import { tellWarnings, WarningList } from './warnings.tsx'

interface Loaded extends Programme {
  session: TimedSession
}

/** Shows a session with what stands in it, and the forms that change that. */
export const sessionPage = showPage('event', {
  path: '/e/{event}/programme/sessions/{programmeSession}',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  prepare: async (services, request): Promise<Loaded> => {
    const programme = await readProgramme(services, request)
    const session = programme.timetable.sessions.find(({ id }) => id === request.params.programmeSession)
    if (session === undefined) throw new Problem('not_found')
    return { ...programme, session }
  },
  view: (loaded, request) => ({
    title: loaded.session.title,
    style: 'programme.css',
    body: <SessionView {...loaded} request={request} />,
  }),
})

type ViewProps = Loaded & { request: EventRequest }

function SessionView({ session, request, ...loaded }: ViewProps) {
  const { event, voice } = request
  const { timetable: texts } = voice.texts
  const { id, title, slots } = session
  const of = (what: 'change' | 'remove' | 'add' | 'text') => paths.programmeSession(event.id, id, what)
  const counts = countWarnings(loaded.warnings)
  return (
    <>
      <Head
        title={<bdi>{title}</bdi>}
        crumbs={<a href={paths.programme(event.id)}>{texts.title}</a>}
        about={texts.zone(event.timezone)}
        actions={
          <>
            <ButtonLink href={of('change')}>{texts.changeSession}</ButtonLink>
            <ButtonLink href={of('remove')} isDestructive>
              {texts.removeSession}
            </ButtonLink>
          </>
        }
      />
      <Dragging here={paths.programmeSession(event.id, id)} request={request}>
        <OwnWarnings session={session} {...loaded} request={request} />
        <About session={session} {...loaded} request={request} />
        <section class="card stack" aria-labelledby="contents" data-session={id}>
          <h2 id="contents">{texts.contents}</h2>
          {slots.length === 0 && <p class="quiet">{texts.noSlots}</p>}
          <ol class="slots">
            {slots.map((slot, at) => (
              <SlotLine key={slot.id} slot={slot} warned={counts.get(slot.id) ?? 0} request={request}>
                <SlotButtons
                  slot={slot}
                  before={[slots[at - 1]?.id, slots[at + 2]?.id]}
                  isLast={at === slots.length - 1}
                  request={request}
                />
              </SlotLine>
            ))}
          </ol>
          <Rest session={session} request={request} />
          <p class="row">
            <ButtonLink href={of('add')} main>
              {texts.addAbstracts}
            </ButtonLink>
            <ButtonLink href={of('text')}>{texts.addText}</ButtonLink>
          </p>
        </section>
      </Dragging>
    </>
  )
}

function OwnWarnings({ session, timetable, warnings, request }: ViewProps) {
  const own = warnings.filter(
    warning =>
      isOfPlace(warning) &&
      (warning.session_id === session.id || ('other' in warning && warning.other.session_id === session.id)),
  )
  if (own.length === 0) return null
  return (
    <Banner tone="warn">
      <p class="strong">{tellWarnings(own, request.voice)}</p>
      <WarningList timetable={timetable} warnings={own} request={request} />
    </Banner>
  )
}

function About({ session, timetable, request }: ViewProps) {
  const { texts, format } = request.voice
  const { timetable: labels } = texts
  const { chairs, about, starts_at, ends_at } = session
  return (
    <section class="card">
      <Facts
        facts={[
          [labels.begins, format.dateTime(starts_at)],
          [labels.ends, format.dateTime(ends_at)],
          [labels.room, <bdi key="r">{roomOf(timetable, session) ?? labels.noRoom}</bdi>],
          [labels.chairs, chairs.length === 0 ? '–' : <bdi key="c">{chairs.map(nameChair).join(', ')}</bdi>],
          ...(about === null
            ? []
            : [
                [
                  labels.aboutSession,
                  <span key="a" class="lines" dir="auto">
                    {about}
                  </span>,
                ] as const,
              ]),
        ]}
      />
    </section>
  )
}

function nameChair({ name, email }: TimedSession['chairs'][number]): string {
  return email === null ? name : `${name} (${email})`
}

interface ButtonsProps {
  slot: Slot
  /** The slots before which it comes to stand when it moves up or down; undefined for the end. */
  before: readonly [up: string | undefined, down: string | undefined]
  isLast: boolean
  request: EventRequest
}

function SlotButtons({ slot, before: [up, down = ''], isLast, request }: ButtonsProps) {
  const { event, voice } = request
  const { timetable: texts } = voice.texts
  const { id, session_id: session } = slot
  const name = nameSlot(slot)
  const action = paths.slot(event.id, id, 'move')
  const fields = { from: session, session }
  return (
    <span class="row">
      {up !== undefined && (
        <PostButton action={action} fields={{ ...fields, before: up }} label={texts.up(name)}>
          <Icon name="raise" />
        </PostButton>
      )}
      {!isLast && (
        <PostButton action={action} fields={{ ...fields, before: down }} label={texts.down(name)}>
          <Icon name="lower" />
        </PostButton>
      )}
      <ButtonLink href={paths.slot(event.id, id)} label={texts.changeName(name)}>
        {texts.change}
      </ButtonLink>
      <PostButton action={paths.slot(event.id, id, 'remove')} tone="plain" label={texts.removeName(name)}>
        {texts.remove}
      </PostButton>
    </span>
  )
}

/** Says when the last slot ends, and how many minutes are left then. */
function Rest({ session, request }: { session: TimedSession; request: EventRequest }) {
  const { texts, format } = request.voice
  const end = Math.max(
    session.starts_at,
    ...session.slots.filter(({ minutes }) => minutes > 0).map(({ to }) => to),
  )
  const left = Math.floor((session.ends_at - end) / MINUTE)
  if (end === session.starts_at) return null
  return (
    <p class="quiet">
      {texts.timetable.over(format.time(end))} {left > 0 && texts.timetable.spare(left)}
    </p>
  )
}
