import type { ReadTx } from '#machinery/db/port.ts'
import * as keys from '#product/administration/keys/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import type { Texts } from '#texts/texts.ts'

/** The names of those who act on an account, by the name that the access log gives them. */
export type ActorNames = ReadonlyMap<string, string>

export async function readActorNames(tx: ReadTx): Promise<ActorNames> {
  const members = await users.list(tx)
  const ofKeys = await keys.list(tx)
  return new Map([
    ...members.map(({ user }): [string, string] => [`user:${user.id}`, user.name]),
    ...ofKeys.map(({ id, name }): [string, string] => [`key:${id}`, name]),
  ])
}

/** Returns what people call an actor. @param actor the actor as the access log names it */
export function describeActor(actor: string, names: ActorNames, { guests: { actors } }: Texts): string {
  if (actor === 'cli') return actors.cli
  if (actor.startsWith('order:')) return actors.buyer
  if (actor.startsWith('ticket:')) return actors.holder
  if (actor.startsWith('submitter:')) return actors.submitter
  if (actor.startsWith('reviewer:')) return actors.reviewer
  const name = names.get(actor)
  if (actor.startsWith('key:')) return name === undefined ? actors.formerKey : actors.key(name)
  return name ?? actors.former
}
