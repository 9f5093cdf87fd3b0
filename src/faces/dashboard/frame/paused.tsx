import type { Item } from '#faces/dashboard/system/needs-of-instance.tsx'
import { findHold } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import type { InstanceNeeds } from '#machinery/ops/instance-needs.ts'
import { Banner, ButtonLink } from '#machinery/web/components/parts.tsx'
import { isSeen } from './navigation.ts'
import type { AccountRequest } from './page-request.ts'
import { paths } from './paths.ts'

/** The permissions for what waits during a hold: orders, money or mails. */
const CONCERNED = [
  { permission: 'guests.edit' },
  { permission: 'payments' },
  { permission: 'payments.settings' },
  { permission: 'messages' },
] as const

interface Sources {
  db: Pick<Database, 'read'>
  instanceWatch: { needs(): Promise<InstanceNeeds> }
}

/**
 * Returns since when mails and payments are held, in Unix milliseconds. It is null if nothing is held or the hold does not
 * concern the user.
 */
export async function findPaused(
  { db, instanceWatch }: Sources,
  request: AccountRequest,
): Promise<number | null> {
  const isConcerned = request.user.operator || CONCERNED.some(each => isSeen(each, request))
  if (!isConcerned) return null
  const since = await db.read(INSTANCE, findHold)
  if (since === null) return null
  // An instance for doors only sends no mail and sells nothing, and nobody can end a hold there.
  return (await instanceWatch.needs()).isDoorOnly === true ? null : since
}

/** Returns the need that a hold adds. Only an operator of the server can end it. */
export function pausedItems(since: number | null, { account, user, voice }: AccountRequest): Item[] {
  if (since === null) return []
  const { needs: texts } = voice.texts
  const item = { key: 'held', text: texts.mailOnHold(voice.format.dateTime(since)) }
  if (!user.operator) return [{ ...item, about: texts.mailOnHoldForOthers }]
  return [{ ...item, about: texts.mailOnHoldAbout, href: paths.system(account.id) }]
}

/** Shows the hold above what it stops. */
export function PausedNote({ since, request }: { since: number | null; request: AccountRequest }) {
  const [item] = pausedItems(since, request)
  if (item === undefined) return null
  const look = item.href !== undefined && (
    <ButtonLink href={item.href}>{request.voice.texts.needs.look}</ButtonLink>
  )
  return (
    <Banner tone="warn" action={look}>
      <p>
        <strong>{item.text}</strong>
      </p>
      <p>{item.about}</p>
    </Banner>
  )
}
