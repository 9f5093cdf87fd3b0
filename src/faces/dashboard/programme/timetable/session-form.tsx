import { fromLocalTime, HOUR, toLocalTime } from '#base/time.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import type { Room, Session } from '#product/programme/timetable/schemas.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { sessionForm } from './session-fields.ts'
import { readFilter } from './unplaced.tsx'

/** How long a new session is, until somebody says otherwise. */
const USUAL = 1.5 * HOUR

interface Planned {
  rooms: readonly Room[]
  sessions: readonly Session[]
  now: number
}

/** Returns when a new session begins: after the last of the day that is asked for, or at nine on the first day. */
function firstBeginning({ sessions: all, now }: Planned, request: EventRequest): number {
  const { event } = request
  const dayOf = (instant: number) => toLocalTime(instant, event.timezone).slice(0, 10)
  const opening = event.starts_at === null ? now : Date.parse(event.starts_at)
  const day = readFilter(request).day ?? dayOf(all.at(-1)?.starts_at ?? opening)
  const ends = all.filter(({ starts_at }) => dayOf(starts_at) === day).map(({ ends_at }) => ends_at)
  return ends.length > 0 ? Math.max(...ends) : (fromLocalTime(`${day}T09:00`, event.timezone) ?? opening)
}

export const newSession = formPage('event', {
  path: '/e/{event}/programme/sessions/new',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  keepsTyped: true,
  load: async (tx, { event }, { clock }): Promise<Planned> => ({
    rooms: await rooms.list(tx, event.id),
    sessions: await sessions.list(tx, event.id),
    now: clock(),
  }),
  fields: loaded => sessionForm(loaded.rooms),
  initial: (loaded, request) => {
    const starts_at = firstBeginning(loaded, request)
    return { starts_at, ends_at: starts_at + USUAL }
  },
  parts: (_, { event, voice: { texts } }) => ({
    ...{ title: texts.timetable.newSession, crumbs: texts.timetable.title },
    about: texts.timetable.zone(event.timezone),
    ...{ leave: paths.programme(event.id), submit: texts.timetable.addSession },
  }),
  act: (tx, { event }, { values }) => sessions.add(tx, event.id, { ...values, chairs: [...values.chairs] }),
  entry: () => ({
    action: 'programme_session.add',
    targetType: 'programme_session',
    targetOf: ({ id }) => id,
  }),
  next: ({ id, title }, { event }) => ({
    path: paths.programmeSession(event.id, id),
    flash: flash('sessionSaved', { name: title }),
  }),
})

export const changeSession = formPage('event', {
  path: '/e/{event}/programme/sessions/{programmeSession}/change',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  keepsTyped: true,
  load: async (tx, { event, params }) => ({
    rooms: await rooms.list(tx, event.id),
    session: await sessions.get(tx, event.id, params.programmeSession ?? ''),
  }),
  fields: loaded => sessionForm(loaded.rooms),
  current: ({ session: { title, room_id, starts_at, ends_at, chairs, about } }) => ({
    ...{ title, room_id, starts_at, ends_at, chairs, about },
  }),
  parts: ({ session }, { event, voice: { texts } }) => {
    const leave = paths.programmeSession(event.id, session.id)
    return {
      ...{ title: texts.timetable.changeSession, crumbs: <NamedLink href={leave} name={session.title} /> },
      ...{ about: texts.timetable.zone(event.timezone), leave, submit: texts.page.save },
    }
  },
  act: (tx, { event, params }, { changes: { chairs, ...changes } }) =>
    sessions.change(tx, event.id, params.programmeSession ?? '', {
      ...changes,
      ...(chairs === undefined ? {} : { chairs: [...chairs] }),
    }),
  entry: ({ params }) => ({
    ...{ action: 'programme_session.change', targetType: 'programme_session' },
    targetId: params.programmeSession,
  }),
  next: ({ id, title }, { event }) => ({
    path: paths.programmeSession(event.id, id),
    flash: flash('sessionSaved', { name: title }),
  }),
})

/** Asks before it removes a session with what stands in it. */
export const removeSession = formPage('event', {
  path: '/e/{event}/programme/sessions/{programmeSession}/remove',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, { event, params }) => {
    const session = await sessions.get(tx, event.id, params.programmeSession ?? '')
    return { session, held: await slots.countOfSession(tx, session.id) }
  },
  fields: () => ({}),
  preview: ({ session, held }) => `${session.title} ${held}`,
  parts: ({ session, held }, { event, voice: { texts } }) => {
    const leave = paths.programmeSession(event.id, session.id)
    return question({
      title: texts.timetable.removeSessionTitle(session.title),
      crumbs: <NamedLink href={leave} name={session.title} />,
      ...{ leave, submit: texts.timetable.removeSessionSubmit },
      ...{ will: [texts.timetable.removeSessionWill(held)], isDanger: true },
    })
  },
  act: (tx, { event }, { loaded: { session } }) => sessions.remove(tx, event.id, session.id),
  entry: ({ params }) => ({
    ...{ action: 'programme_session.remove', targetType: 'programme_session' },
    targetId: params.programmeSession,
    details: (_, removed) => (removed === undefined ? {} : { name: removed.title }),
  }),
  next: ({ title }, { event }) => ({
    path: paths.programme(event.id),
    flash: flash('sessionRemoved', { name: title }),
  }),
})
