import { resolve } from 'node:path'

/**
 * Explains the first steps to a person who has just started a server on an empty data folder.
 *
 * @param setup the link that makes the account
 */
export function explainFirstSteps(folder: string, setup: string): string {
  // The person may open the other terminal in another folder.
  const data = `--data ${quote(resolve(folder))}`
  return `There is no account yet. To begin, open this link, which works once and within an hour:

  ${setup}

It makes your account; if the hour is over, start the server again for another. Or, without the dashboard, in another terminal:

  turnout account create --name 'Ada Events' --email ada@example.org ${data}
  turnout key create --name first --scopes events:read,registrations:read,registrations:write,checkins:write ${data}

An organization file adds events:

  turnout apply organization.json ${data}

`
}

/** Quotes the text as one word for a shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
