import { resolve } from 'node:path'

/** How to begin, for a person who has just started a server on an empty data folder. */
export function explainBeginning(folder: string): string {
  // The other terminal may stand elsewhere.
  const data = `--data ${quote(resolve(folder))}`
  return `There is no account yet. To begin, in another terminal:

  turnout account create --name 'Ada Events' --email ada@example.org ${data}
  turnout key create --account ID --name first --scopes events:read,registrations:read,registrations:write,checkins:write ${data}

ID is what the first of them prints. Events come with an organization file:

  turnout apply organization.json ${data}

`
}

/** As a word of a shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
