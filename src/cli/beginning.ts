import { resolve } from 'node:path'
import * as accounts from '../accounts/rules.ts'
import type { Clock } from '../time.ts'
import { withDatabase } from './database.ts'

/** How to begin, for who has just started a server on a data folder; undefined where there is an account already. */
export async function explainBeginning(folder: string, clock: Clock): Promise<string | undefined> {
  const existing = await withDatabase(folder, clock, db => db.read(accounts.list))
  if (existing.length > 0) return undefined
  // The other terminal may stand elsewhere.
  const data = `--data ${quote(resolve(folder))}`
  return `There is no account yet. To begin, in another terminal:

  turnout account create --name 'Ada Events' --email ada@example.org ${data}
  turnout key create --name first --scopes events:read,registrations:read,registrations:write,checkins:write ${data}

Events come with an organization file:

  turnout apply organization.json ${data}

`
}

/** As a word of a shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
