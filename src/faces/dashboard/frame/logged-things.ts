import { unlessMissing } from '#base/problem.ts'
import { findTitles } from '#faces/dashboard/catalog/event-titles.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { AccessLogEntry } from '#product/administration/access-log/schemas.ts'
import * as keys from '#product/administration/keys/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Texts } from '#texts/texts.ts'
import { paths } from './paths.ts'

/** What somebody acted on: its name and the address that shows it. */
export interface Thing {
  name: string
  href?: string
}

/** The people and things that entries of the access log name by their ids. */
export interface LoggedThings {
  /** The present names of people and keys, by what the log calls them. The log page offers them as a filter. */
  actors: ReadonlyMap<string, Actor>
  /** The targets, by their type and id. */
  targets: ReadonlyMap<string, Thing>
}

type Actor = { kind: 'user' | 'key'; name: string }

/** @param entries of the account of `tx`, since only its people and things are looked up */
export async function findThings(tx: ReadTx, entries: readonly AccessLogEntry[]): Promise<LoggedThings> {
  const members = await users.list(tx)
  const ofKeys = await keys.list(tx)
  const idsOf = (type: string) =>
    entries.flatMap(({ target_type, target_id }) =>
      target_type === type && target_id !== null ? [target_id] : [],
    )
  const acting = entries.flatMap(({ actor }) => (actor.startsWith('user:') ? [actor.slice(5)] : []))
  const named = await users.namesOf(tx, [...members.map(({ user }) => user.id), ...acting, ...idsOf('user')])
  const titles = await findTitles(tx, idsOf('event'))
  const targets = new Map<string, Thing>([
    ...[...named].map(([id, name]) => [`user ${id}`, { name }] as const),
    ...members.map(({ id, user: { name } }) => [`member ${id}`, { name }] as const),
    ...ofKeys.map(({ id, name }) => [`api_key ${id}`, { name, href: paths.key(tx.accountId, id) }] as const),
    ...[...titles].map(([id, name]) => [`event ${id}`, { name, href: paths.event(id) }] as const),
  ])
  for (const id of new Set(idsOf('registration'))) {
    const found = await unlessMissing(registrations.get(tx, id))
    if (found === undefined) continue
    targets.set(`registration ${id}`, { name: found.buyer.name, href: paths.guest(found.event_id, id) })
  }
  for (const id of new Set(idsOf('order'))) {
    const found = await unlessMissing(orders.get(tx, id))
    if (found === undefined) continue
    targets.set(`order ${id}`, { name: found.buyer.name, href: paths.order(found.event_id, id) })
  }
  for (const id of new Set(idsOf('series'))) {
    const found = await unlessMissing(series.get(tx, id))
    if (found === undefined) continue
    targets.set(`series ${id}`, { name: found.name, href: paths.series(tx.accountId, id) })
  }
  for (const id of new Set(idsOf('submitter'))) {
    const found = await unlessMissing(submissions.getSubmitter(tx, id))
    if (found === undefined) continue
    targets.set(`submitter ${id}`, { name: found.name, href: paths.submitter(found.event_id, id) })
  }
  const actors = new Map<string, Actor>([
    ...[...named].map(([id, name]) => [`user:${id}`, { kind: 'user', name }] as const),
    ...ofKeys.map(({ id, name }) => [`key:${id}`, { kind: 'key', name }] as const),
  ])
  return { actors, targets }
}

/** Returns what a page calls an actor of the access log. */
export function nameActor({ actors }: LoggedThings, actor: string, { log }: Texts): string {
  if (actor === 'cli') return log.commandLine
  if (actor === 'server') return log.server
  if (actor.startsWith('order:')) return log.buyer
  if (actor.startsWith('ticket:')) return log.holder
  if (actor.startsWith('submitter:')) return log.submitter
  if (actor.startsWith('reviewer:')) return log.reviewer
  const found = actors.get(actor)
  if (found === undefined) return log.somebody
  return found.kind === 'key' ? log.keyOf(found.name) : found.name
}
