import { download } from '#faces/dashboard/frame/download.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { makeBook } from '#product/programme/book/book.tsx'
import { readProgrammeCsv } from '#product/programme/book/csv.ts'
import { zipFiles } from '#product/programme/book/files.ts'
import { PublicProgramme } from '#product/programme/published/reading.ts'
import { readNext } from '#product/programme/publishing/publish.ts'

/** The book of abstracts as it would be published now, with all texts. */
export const bookFile = download('event', {
  path: '/e/{event}/programme/book.html',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  open: async (reader, { event, account, voice }, { clock }) => {
    const { programme, organizer } = await reader.read(account.id, async tx => {
      const of = { eventId: event.id, timezone: event.timezone, now: clock() }
      const content = await readNext(tx, event.id)
      const { name } = await accounts.getDetails(tx)
      return { programme: await PublicProgramme.draft(tx, of, content), organizer: name }
    })
    return {
      type: 'text/html; charset=utf-8',
      fileName: `${event.slug}-book.html`,
      chunks: makeBook(reader, { programme, accountId: account.id, event, organizer, voice }),
    }
  },
})

/** The programme as a table, as it would be published now. */
export const programmeCsv = download('event', {
  path: '/e/{event}/programme/programme.csv',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  open: async (reader, { event, account }) => ({
    type: 'text/csv; charset=utf-8',
    fileName: `${event.slug}-programme.csv`,
    chunks: await reader.read(account.id, tx => readProgrammeCsv(tx, event)),
  }),
})

/** The files of the authors of accepted abstracts. */
export const filesZip = download('event', {
  path: '/e/{event}/programme/files.zip',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  open: async (reader, { event, account }) => ({
    type: 'application/zip',
    fileName: `${event.slug}-files.zip`,
    chunks: await zipFiles(reader, account.id, event.id),
  }),
})
