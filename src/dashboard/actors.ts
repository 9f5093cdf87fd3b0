import type { ReadTx } from '../db/port.ts'
import * as keys from '../keys/rules.ts'
import * as users from '../users/rules.ts'
import type { Texts } from '../web/texts/texts.ts'

/** The names of those who act on an account, by what the access log calls them. */
export type Actors = ReadonlyMap<string, string>

export async function loadActors(tx: ReadTx, accountId: string): Promise<Actors> {
  const members = await users.list(tx, accountId)
  const ownKeys = await keys.list(tx, accountId)
  return new Map([
    ...members.map(({ user }) => [`user:${user.id}`, user.name] as const),
    ...ownKeys.map(({ id, name }) => [`key:${id}`, name] as const),
  ])
}

/** Undefined where nobody knows who it was. */
export function nameActor(actors: Actors, actor: string | null, { checkIn }: Texts): string | undefined {
  if (actor === null) return undefined
  return actor === 'cli' ? checkIn.commandLine : (actors.get(actor) ?? checkIn.gone)
}
