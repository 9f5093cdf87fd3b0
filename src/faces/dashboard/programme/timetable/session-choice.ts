import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { choiceField, type Field } from '#machinery/web/forms/field.ts'
import type { Room, Session } from '#product/programme/timetable/schemas.ts'
import type { Texts } from '#texts/texts.ts'

interface Choice {
  rooms: readonly Room[]
  sessions: readonly Session[]
}

/** Returns a field for one of the sessions of a programme, named by its time, its title and its room. */
export function sessionChoice(
  { rooms, sessions }: Choice,
  { voice: { format } }: EventRequest,
  named: { label: (texts: Texts) => string; help?: (texts: Texts) => string },
): Field<string> {
  const roomOf = ({ room_id }: Session) => rooms.find(({ id }) => id === room_id)?.name
  const label = (session: Session) =>
    [format.dayTime(session.starts_at), session.title, roomOf(session)].filter(Boolean).join(' · ')
  return choiceField<string>(
    sessions.map(({ id }) => id),
    () => sessions.map(session => ({ value: session.id, label: label(session) })),
    named,
  )
}
