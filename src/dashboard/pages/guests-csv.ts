import { streamOf } from '../../http/sending.ts'
import { Problem } from '../../problem.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { beginGuestReport } from '../../reports/guest-report.ts'
import { toCsvChunks } from '../../reports/registration-report.ts'
import { readGuestQuery } from '../guest-query.ts'
import type { PageAt } from '../page.ts'

/** Bytes of memory that it counts for while it is made and sent. */
const REPORT = 2 * 1024 * 1024

/** The guests that a list is narrowed to, as a file. */
export const guestsCsv: PageAt<'event'> = {
  level: 'event',
  path: '/e/{event}/guests.csv',
  permission: 'guests.read',
  get: async ({ db, clock, log }, context, asked) => {
    const { account, event } = asked
    context.state.holding.keep('answer', REPORT)
    const types = await db.read(tx => registrationTypes.listByEvent(tx, account.id, event.id))
    const { filters } = readGuestQuery(asked, types)
    if (filters === undefined) throw new Problem('not_found')
    const report = await beginGuestReport(db, account.id, filters, clock())
    context.type = 'text/csv; charset=utf-8'
    context.attachment(`guests-${event.slug}.csv`)
    context.body = streamOf(context.res, toCsvChunks(report), error => {
      if (context.res.destroyed) return
      log.error({ err: error, request_id: asked.requestId }, 'a list of guests broke off')
    })
  },
}
