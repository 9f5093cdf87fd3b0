import { Problem } from '../../problem.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { beginGuestReport } from '../../reports/guest-report.ts'
import { toCsvChunks } from '../../reports/registration-report.ts'
import { download } from '../download.ts'
import { readGuestQuery } from '../guest-query.ts'

/** The guests that a list is narrowed to, as a file. */
export const guestsCsv = download('event', {
  path: '/e/{event}/guests.csv',
  permission: 'guests.read',
  open: async (reader, asked, { clock }) => {
    const { account, event } = asked
    const types = await reader.read(tx => registrationTypes.listByEvent(tx, account.id, event.id))
    const { filters } = readGuestQuery(asked, types)
    if (filters === undefined) throw new Problem('not_found')
    const report = await beginGuestReport(reader, account.id, filters, clock())
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `guests-${event.slug}.csv`,
      chunks: toCsvChunks(report),
    }
  },
})
