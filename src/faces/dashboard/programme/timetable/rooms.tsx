import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Icon } from '#machinery/web/components/icon.tsx'
import { ButtonLink, Empty, Head, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { textField } from '#machinery/web/forms/field.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import * as rooms from '#product/programme/timetable/rooms.ts'
import { MAX_ROOMS, type Room, roomFields } from '#product/programme/timetable/schemas.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'

interface Row extends Room {
  isFirst: boolean
  isLast: boolean
  held: number
}

function listOf(eventId: string): List<Row> {
  return {
    caption: texts => texts.timetable.rooms,
    columns: [
      {
        label: texts => texts.timetable.name,
        place: 'name',
        cell: ({ id, name }) => (
          <a href={paths.room(eventId, id)}>
            <bdi>{name}</bdi>
          </a>
        ),
      },
      {
        label: texts => texts.timetable.overview,
        place: 'line',
        cell: ({ held }, { texts }) => texts.timetable.sessionsOf(held),
      },
      {
        label: texts => texts.tickets.order,
        place: 'amount',
        cell: (row, { texts }) => {
          const action = paths.room(eventId, row.id, 'move')
          return (
            <span class="row whole">
              {!row.isFirst && (
                <PostButton action={action} fields={{ direction: 'up' }} label={texts.timetable.up(row.name)}>
                  <Icon name="raise" />
                </PostButton>
              )}
              {!row.isLast && (
                <PostButton
                  action={action}
                  fields={{ direction: 'down' }}
                  label={texts.timetable.down(row.name)}
                >
                  <Icon name="lower" />
                </PostButton>
              )}
            </span>
          )
        },
      },
    ],
  }
}

/** Lists the rooms of an event in their order. */
export const roomsPage = showPage('event', {
  path: '/e/{event}/programme/rooms',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, { event }): Promise<Row[]> => {
    const all = await rooms.list(tx, event.id)
    const held = await sessions.list(tx, event.id)
    return all.map((room, at) => ({
      ...room,
      ...{ isFirst: at === 0, isLast: at === all.length - 1 },
      held: held.filter(({ room_id }) => room_id === room.id).length,
    }))
  },
  view: (rows, request) => ({
    title: request.voice.texts.timetable.rooms,
    body: <Rooms rows={rows} request={request} />,
  }),
})

function Rooms({ rows, request }: { rows: readonly Row[]; request: EventRequest }) {
  const { event, voice } = request
  const { timetable: texts } = voice.texts
  const add = rows.length < MAX_ROOMS && (
    <ButtonLink href={paths.programme(event.id, 'rooms/new')} main>
      {texts.newRoom}
    </ButtonLink>
  )
  return (
    <>
      <Head
        title={texts.rooms}
        crumbs={<a href={paths.programme(event.id)}>{texts.title}</a>}
        about={texts.roomsAbout}
        actions={rows.length > 0 && add}
      />
      {rows.length === 0 ? (
        <Empty icon="list" title={texts.roomsNone} action={add}>
          {texts.roomsNoneAbout}
        </Empty>
      ) : (
        <Table list={listOf(event.id)} rows={rows} voice={voice} />
      )}
      {rows.length === MAX_ROOMS && <p class="quiet">{texts.roomsFull(MAX_ROOMS)}</p>}
    </>
  )
}

const roomForm = { name: textField(roomFields.name, { label: texts => texts.timetable.name }) }

export const newRoom = formPage('event', {
  path: '/e/{event}/programme/rooms/new',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  keepsTyped: true,
  load: async () => undefined,
  fields: () => roomForm,
  parts: (_, { event, voice: { texts } }) => ({
    ...{ title: texts.timetable.newRoom, crumbs: texts.timetable.rooms },
    ...{ leave: paths.programme(event.id, 'rooms'), submit: texts.timetable.addRoom },
  }),
  act: (tx, { event }, { values }) => rooms.add(tx, event.id, values),
  entry: () => ({ action: 'room.add', targetType: 'room', targetOf: ({ id }) => id }),
  next: ({ name }, { event }) => ({
    path: paths.programme(event.id, 'rooms'),
    flash: flash('roomSaved', { name }),
  }),
})

export const editRoom = formPage('event', {
  path: '/e/{event}/programme/rooms/{room}',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  keepsTyped: true,
  load: (tx, { event, params }) => rooms.get(tx, event.id, params.room ?? ''),
  fields: () => roomForm,
  current: ({ name }) => ({ name }),
  parts: ({ id, name }, { event, voice: { texts } }) => ({
    ...{ title: name, isOfPeople: true, crumbs: texts.timetable.rooms, submit: texts.page.save },
    leave: paths.programme(event.id, 'rooms'),
    actions: (
      <ButtonLink href={paths.room(event.id, id, 'remove')} isDestructive>
        {texts.timetable.removeRoom}
      </ButtonLink>
    ),
  }),
  act: (tx, { event, params }, { values }) => rooms.rename(tx, event.id, params.room ?? '', values),
  entry: ({ params }) => ({ action: 'room.change', targetType: 'room', targetId: params.room }),
  next: ({ name }, { event }) => ({
    path: paths.programme(event.id, 'rooms'),
    flash: flash('roomSaved', { name }),
  }),
})

function directionOf(body: URLSearchParams): 'up' | 'down' {
  return body.get('direction') === 'up' ? 'up' : 'down'
}

export const moveRoom = button('event', {
  path: '/e/{event}/programme/rooms/{room}/move',
  permission: 'abstracts',
  act: (tx, { event, params }, body) => rooms.move(tx, event.id, params.room ?? '', directionOf(body)),
  entry: ({ params }, body) => ({
    ...{ action: 'room.move', targetType: 'room', targetId: params.room },
    details: () => ({ direction: directionOf(body) }),
  }),
  next: ({ name }, { event }) => ({
    path: paths.programme(event.id, 'rooms'),
    flash: flash('roomMoved', { name }),
  }),
  back: ({ event }) => paths.programme(event.id, 'rooms'),
})

/** Asks before it removes a room, and says what becomes of its sessions. */
export const removeRoom = formPage('event', {
  path: '/e/{event}/programme/rooms/{room}/remove',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, { event, params }) => {
    const room = await rooms.get(tx, event.id, params.room ?? '')
    return { room, held: await rooms.countSessions(tx, room.id) }
  },
  fields: () => ({}),
  preview: ({ room, held }) => `${room.name} ${held}`,
  parts: ({ room, held }, { event, voice: { texts } }) =>
    question({
      title: texts.timetable.removeRoomTitle(room.name),
      crumbs: <a href={paths.programme(event.id, 'rooms')}>{texts.timetable.rooms}</a>,
      ...{ leave: paths.room(event.id, room.id), submit: texts.timetable.removeRoomSubmit },
      ...{ will: [texts.timetable.removeRoomWill(held)], isDanger: true },
    }),
  act: async (tx, { event }, { loaded: { room } }) => {
    await rooms.remove(tx, event.id, room.id)
    return room
  },
  entry: ({ params }) => ({
    ...{ action: 'room.remove', targetType: 'room', targetId: params.room },
    details: (_, removed) => (removed === undefined ? {} : { name: removed.name }),
  }),
  next: ({ name }, { event }) => ({
    path: paths.programme(event.id, 'rooms'),
    flash: flash('roomRemoved', { name }),
  }),
})
