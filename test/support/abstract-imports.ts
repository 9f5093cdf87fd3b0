import type { Database } from '#machinery/db/port.ts'
import { readSheet } from '#product/administration/sheets/table.ts'
import { countRecognized } from '#product/programme/abstract-imports/columns.ts'
import * as imports from '#product/programme/abstract-imports/rules.ts'

interface Place {
  db: Pick<Database, 'read' | 'write'>
  accountId: string
  eventId: string
}

/** Uploads a table with abstracts, as a member does. */
export async function uploadTable({ db, accountId, eventId }: Place, text: string, name = 'abstracts.csv') {
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const table = await readSheet(Buffer.from(text), countRecognized)
  return imports.upload(db, actor, eventId, { table, name, language: 'en' })
}
