import { HOUR } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'

/** Makes a programme with texts that are hard to show, in two rooms at once. */
export async function planHard(
  tx: WriteTx,
  eventId: string,
  { unbroken, arabic, markup }: Record<'unbroken' | 'arabic' | 'markup', string>,
): Promise<void> {
  const starts_at = tx.clock()
  for (const name of [unbroken, arabic]) {
    const room = await rooms.add(tx, eventId, { name: name.slice(0, 100) })
    const chairs = [unbroken, arabic, markup].map(each => ({ name: each.slice(0, 200), email: null }))
    const times = { starts_at, ends_at: starts_at + HOUR }
    const said = { title: name.slice(0, 200), about: `${unbroken}\n\n${arabic}\n\n${markup}`, chairs }
    const { id } = await sessions.add(tx, eventId, { ...times, ...said, room_id: room.id })
    for (const title of [unbroken, arabic, markup])
      await slots.add(
        tx,
        eventId,
        { session_id: id, before: null },
        { title: title.slice(0, 200), minutes: 45 },
      )
  }
}
