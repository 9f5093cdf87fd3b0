import type { ReadTx } from '../db/port.ts'
import { findUntold } from '../events/date-place.ts'
import { may } from '../users/roles.ts'
import { Banner, ButtonLink } from '../web/components/parts.tsx'
import type { OfEvent } from './asked.ts'
import { OF_MESSAGES } from './message-parts.tsx'
import { paths } from './paths.ts'

/** Whether date or place of an event have changed since those who have tickets knew them, and this member may tell them. */
export async function isUntold(tx: ReadTx, { account, event, member }: OfEvent): Promise<boolean> {
  if (event.status !== 'published' || !may(member.role, OF_MESSAGES.permission)) return false
  return (await findUntold(tx, account.id, event.id)) !== undefined
}

/** Asks whether to tell them: not by itself, as slips of the pen are mended too. */
export function UntoldNote({ isUntold, asked }: { isUntold: boolean; asked: OfEvent }) {
  if (!isUntold) return null
  const { notices } = asked.voice.texts
  const tell = <ButtonLink href={paths.tellChange(asked.event.id)}>{notices.tell}</ButtonLink>
  return (
    <Banner tone="warn" action={tell}>
      <p>{notices.untold}</p>
    </Banner>
  )
}
