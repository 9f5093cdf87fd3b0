import { resolve } from 'node:path'
import type { Config } from '#base/config.ts'

/**
 * Explains the first steps to a person who has just started a server on an empty data folder or database.
 *
 * @param setup the link that makes the account
 */
export function explainFirstSteps(
  { data: folder, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>,
  setup: string,
): string {
  const isFolder = databaseUrl === undefined
  // The person may open the other terminal in another folder. An address has a password, which is not printed.
  const data = isFolder ? ` --data ${quote(resolve(folder))}` : ''
  const where = isFolder ? 'in another terminal' : 'in another terminal, with the same TURNOUT_DATABASE_URL'
  return `There is no account yet. To begin, open this link, which works once and within an hour:

  ${setup}

It makes your account; if the hour is over, start the server again for another. Or, without the dashboard, ${where}:

  turnout account create --name 'Ada Events' --email ada@example.org${data}
  turnout key create --name first --scopes events:read,registrations:read,registrations:write,checkins:write${data}

An organization file adds events:

  turnout apply organization.json${data}

`
}

/** Quotes the text as one word for a shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
