import * as scanLog from '../checkins/scan-log.ts'
import type { ReadTx } from '../db/port.ts'
import { may } from '../users/roles.ts'
import { Banner, ButtonLink, Tabs } from '../web/components/parts.tsx'
import { withQuery } from '../web/link.ts'
import type { Voice } from '../web/voice.ts'
import type { OfAccount, OfEvent } from './asked.ts'
import { paths } from './paths.ts'

/** Whoever works at a door makes doors, sees what they do, and takes scans back. */
export const OF_DOORS = { permission: 'checkins' } as const
/** Whoever decides on what is held, and looks at conflicts. */
export const OF_DECISIONS = { permission: 'scans.decide' } as const

/** Scans that are counted one by one. */
export const MOST_SCANS = 1000

export interface ToLookAt {
  conflicts: number
  held: number
}

export function countToLookAt(tx: ReadTx, { account, event }: OfEvent): Promise<ToLookAt> {
  return scanLog.countToLookAt(tx, account.id, event.id, MOST_SCANS)
}

export function tellCount(n: number, { texts, format }: Voice): string {
  return n < MOST_SCANS ? format.number(n) : texts.doors.countOrMore(format.number(n))
}

/** The pages of doors. */
export function DoorTabs({
  current,
  toLookAt: { conflicts, held },
  asked: { event, voice },
}: {
  current: 'doors' | scanLog.ScanList
  toLookAt: ToLookAt
  asked: OfEvent
}) {
  const { doors: texts } = voice.texts
  const scans = paths.scans(event.id)
  const counted = (n: number) => (n === 0 ? undefined : tellCount(n, voice))
  const tabs = [
    { name: 'doors', href: paths.doors(event.id), text: texts.title },
    { name: 'held', href: withQuery(scans, { show: 'held' }), text: texts.held, count: counted(held) },
    {
      name: 'conflict',
      href: withQuery(scans, { show: 'conflict' }),
      text: texts.conflicts,
      count: counted(conflicts),
    },
    { name: 'all', href: scans, text: texts.scans },
  ]
  return (
    <Tabs
      label={texts.tabs}
      tabs={tabs.map(({ name, ...tab }) => ({ ...tab, isCurrent: name === current }))}
    />
  )
}

export function mayDecide({ member }: OfAccount): boolean {
  return may(member.role, OF_DECISIONS.permission)
}

/** What waits at the doors of an event, for whoever decides on it: undefined for others. */
export async function findToLookAt(tx: ReadTx, asked: OfEvent): Promise<ToLookAt | undefined> {
  return mayDecide(asked) ? countToLookAt(tx, asked) : undefined
}

/** Leads to what waits at the doors. */
export function DoorNote({ toLookAt, asked }: { toLookAt: ToLookAt | undefined; asked: OfEvent }) {
  if (toLookAt === undefined) return null
  const { needs } = asked.voice.texts
  const { conflicts, held } = toLookAt
  const n = conflicts + held
  if (n === 0) return null
  const show = held > 0 ? 'held' : 'conflict'
  const href = withQuery(paths.scans(asked.event.id), { show })
  return (
    <Banner tone="warn" action={<ButtonLink href={href}>{needs.look}</ButtonLink>}>
      <p>{n < MOST_SCANS ? needs.scans(n) : needs.scansOrMore(n)}</p>
    </Banner>
  )
}
