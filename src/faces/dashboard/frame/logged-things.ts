import type { AccessLogEntry } from '../access-log/schemas.ts'
import type { ReadTx } from '../db/port.ts'
import * as keys from '../keys/rules.ts'
import * as orders from '../orders/rules.ts'
import { Problem } from '../problem.ts'
import * as registrations from '../registrations/rules.ts'
import * as users from '../users/rules.ts'
import type { Texts } from '../web/texts/texts.ts'
import { findTitles } from './event-titles.ts'
import { paths } from './paths.ts'

/** What was acted on: its name, and where it is shown. */
export interface Thing {
  name: string
  href?: string
}

/** The people and things that entries of the access log name by their ids. */
export interface LoggedThings {
  /** The names of people and keys of the account now, by what the log calls them: who is looked for. */
  actors: ReadonlyMap<string, Actor>
  /** By the type and id of the target. */
  targets: ReadonlyMap<string, Thing>
}

type Actor = { kind: 'user' | 'key'; name: string }

/** @param entries of the account: nobody else's people and things are looked up */
export async function findThings(
  tx: ReadTx,
  accountId: string,
  entries: readonly AccessLogEntry[],
): Promise<LoggedThings> {
  const members = await users.list(tx, accountId)
  const ofKeys = await keys.list(tx, accountId)
  const idsOf = (type: string) =>
    entries.flatMap(({ target_type, target_id }) =>
      target_type === type && target_id !== null ? [target_id] : [],
    )
  const acting = entries.flatMap(({ actor }) => (actor.startsWith('user:') ? [actor.slice(5)] : []))
  const named = await users.namesOf(tx, [...members.map(({ user }) => user.id), ...acting, ...idsOf('user')])
  const titles = await findTitles(tx, accountId, idsOf('event'))
  const targets = new Map<string, Thing>([
    ...[...named].map(([id, name]) => [`user ${id}`, { name }] as const),
    ...members.map(({ id, user: { name } }) => [`member ${id}`, { name }] as const),
    ...ofKeys.map(({ id, name }) => [`api_key ${id}`, { name, href: paths.key(accountId, id) }] as const),
    ...[...titles].map(([id, name]) => [`event ${id}`, { name, href: paths.event(id) }] as const),
  ])
  for (const id of new Set(idsOf('registration'))) {
    const found = await find(registrations.get(tx, accountId, id))
    if (found === undefined) continue
    targets.set(`registration ${id}`, { name: found.buyer.name, href: paths.guest(found.event_id, id) })
  }
  for (const id of new Set(idsOf('order'))) {
    const found = await find(orders.get(tx, accountId, id))
    if (found === undefined) continue
    targets.set(`order ${id}`, { name: found.buyer.name, href: paths.order(found.event_id, id) })
  }
  const actors = new Map<string, Actor>([
    ...[...named].map(([id, name]) => [`user:${id}`, { kind: 'user', name }] as const),
    ...ofKeys.map(({ id, name }) => [`key:${id}`, { kind: 'key', name }] as const),
  ])
  return { actors, targets }
}

/** What was acted on may be gone, or was never there. */
async function find<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

/** What a page calls an actor of the access log. */
export function nameActor({ actors }: LoggedThings, actor: string, { log }: Texts): string {
  if (actor === 'cli') return log.commandLine
  if (actor.startsWith('order:')) return log.buyer
  const found = actors.get(actor)
  if (found === undefined) return log.somebody
  return found.kind === 'key' ? log.keyOf(found.name) : found.name
}
