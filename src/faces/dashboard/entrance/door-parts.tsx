import type { AccountRequest, EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, ButtonLink, Tabs } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { may } from '#product/administration/users/roles.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import type { ScanList } from '#product/entrance/check-ins/scan-log.ts'

/** Doors are a part of check-in, with which the paths of their pages do not begin. */
const OF_CHECK_IN = { belongsTo: '/e/{event}/check-in' } as const
/** The permission to make doors, see what they do and take scans back. Those who work at a door have it. */
export const OF_DOORS = { ...OF_CHECK_IN, permission: 'checkins' } as const
/** The permission to decide on held scans and to look at conflicts. */
export const OF_DECISIONS = { ...OF_CHECK_IN, permission: 'scans.decide' } as const

/** Scans to decide on are counted exactly below this number. */
export const MOST_SCANS = 1000

export interface ToLookAt {
  conflicts: number
  held: number
}

export function countToLookAt(tx: ReadTx, { event }: EventRequest): Promise<ToLookAt> {
  return scanCases.count(tx, event.id, MOST_SCANS)
}

export function describeCount(n: number, { texts, format }: Voice): string {
  return n < MOST_SCANS ? format.number(n) : texts.doors.countOrMore(format.number(n))
}

/** Links to the pages of check-in. Only members who decide on scans see how many wait. */
export function CheckInTabs({
  current,
  toLookAt,
  request: { event, voice },
}: {
  current: 'desk' | 'doors' | 'scans' | 'paper' | 'badges'
  toLookAt: ToLookAt | undefined
  request: EventRequest
}) {
  const { texts } = voice
  const waiting = toLookAt === undefined ? 0 : toLookAt.conflicts + toLookAt.held
  const tabs = [
    { name: 'desk', href: paths.checkIn(event.id), text: texts.checkIn.desk },
    { name: 'doors', href: paths.doors(event.id), text: texts.doors.title },
    {
      name: 'scans',
      href: paths.scans(event.id),
      text: texts.doors.scans,
      count: waiting === 0 ? undefined : describeCount(waiting, voice),
    },
    { name: 'paper', href: paths.paperLists(event.id), text: texts.checkIn.paper },
    { name: 'badges', href: paths.badges(event.id), text: texts.badges.title },
  ]
  return (
    <Tabs
      label={texts.navigation.checkIn}
      tabs={tabs.map(({ name, ...tab }) => ({ ...tab, isCurrent: name === current }))}
    />
  )
}

/** Links to the scans that wait for something, and to all of them. */
export function ScanTabs({
  current,
  toLookAt: { conflicts, held },
  request: { event, voice },
}: {
  current: ScanList
  toLookAt: ToLookAt
  request: EventRequest
}) {
  const { doors: texts } = voice.texts
  const scans = paths.scans(event.id)
  const counted = (n: number) => (n === 0 ? undefined : describeCount(n, voice))
  const tabs = [
    { name: 'all', href: scans, text: texts.allScans },
    { name: 'held', href: withQuery(scans, { show: 'held' }), text: texts.held, count: counted(held) },
    {
      name: 'conflict',
      href: withQuery(scans, { show: 'conflict' }),
      text: texts.conflicts,
      count: counted(conflicts),
    },
  ]
  return (
    <Tabs
      label={texts.tabs}
      tabs={tabs.map(({ name, ...tab }) => ({ ...tab, isCurrent: name === current }))}
    />
  )
}

export function mayDecide({ member }: AccountRequest): boolean {
  return may(member.role, OF_DECISIONS.permission)
}

/** Returns what waits at the doors of an event, or undefined for members who do not decide on it. */
export async function findToLookAt(tx: ReadTx, request: EventRequest): Promise<ToLookAt | undefined> {
  return mayDecide(request) ? countToLookAt(tx, request) : undefined
}

/** Links to what waits at the doors. */
export function DoorNote({ toLookAt, request }: { toLookAt: ToLookAt | undefined; request: EventRequest }) {
  if (toLookAt === undefined) return null
  const { needs } = request.voice.texts
  const { conflicts, held } = toLookAt
  const n = conflicts + held
  if (n === 0) return null
  const show = held > 0 ? 'held' : 'conflict'
  const href = withQuery(paths.scans(request.event.id), { show })
  return (
    <Banner tone="warn" action={<ButtonLink href={href}>{needs.look}</ButtonLink>}>
      <p>{n < MOST_SCANS ? needs.scans(n) : needs.scansOrMore(n)}</p>
    </Banner>
  )
}
