import type { ReadTx } from '../db/port.ts'
import * as keys from '../keys/rules.ts'
import * as users from '../users/rules.ts'
import type { Texts } from '../web/texts/texts.ts'

/** The names of those who act on an account, as the access log calls them. */
export type ActorNames = ReadonlyMap<string, string>

export async function readActorNames(tx: ReadTx, accountId: string): Promise<ActorNames> {
  const members = await users.list(tx, accountId)
  const ofKeys = await keys.list(tx, accountId)
  return new Map([
    ...members.map(({ user }): [string, string] => [`user:${user.id}`, user.name]),
    ...ofKeys.map(({ id, name }): [string, string] => [`key:${id}`, name]),
  ])
}

/** Who it was, for people. @param actor as the access log calls them */
export function tellActor(actor: string, names: ActorNames, { guests: { actors } }: Texts): string {
  if (actor === 'cli') return actors.cli
  if (actor.startsWith('order:')) return actors.buyer
  const name = names.get(actor)
  if (actor.startsWith('key:')) return name === undefined ? actors.formerKey : actors.key(name)
  return name ?? actors.former
}
