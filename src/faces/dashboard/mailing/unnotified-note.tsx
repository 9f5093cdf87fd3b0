import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, ButtonLink } from '#machinery/web/components/parts.tsx'
import { may } from '#product/administration/users/roles.ts'
import { findUnnotified } from '#product/catalog/events/date-place.ts'
import { OF_MESSAGES } from './message-parts.tsx'

/** Returns whether the date or place has changed since attendees last learned of it, and this member may tell them. */
export async function isUnnotified(tx: ReadTx, { event, member }: EventRequest): Promise<boolean> {
  if (event.status !== 'published' || !may(member.role, OF_MESSAGES.permission)) return false
  return (await findUnnotified(tx, event.id)) !== undefined
}

/** Asks whether to tell attendees. Nothing is sent by itself, because changes also correct slips of the pen. */
export function UnnotifiedNote({ isUnnotified, request }: { isUnnotified: boolean; request: EventRequest }) {
  if (!isUnnotified) return null
  const { notices } = request.voice.texts
  const tell = <ButtonLink href={paths.tellChange(request.event.id)}>{notices.tell}</ButtonLink>
  return (
    <Banner tone="warn" action={tell}>
      <p>{notices.untold}</p>
    </Banner>
  )
}
