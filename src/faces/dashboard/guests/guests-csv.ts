import { Problem } from '#base/problem.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import { csvOf, sheetOrCsv } from '#faces/dashboard/frame/guest-sheet.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { OF_MESSAGES } from '#faces/dashboard/mailing/message-parts.tsx'
import type { Reader } from '#machinery/db/batches.ts'
import type { Server } from '#machinery/mail/kind.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { GuestFilters } from '#product/guests/registrations/guests.ts'
import { beginGuestReport } from '#product/reporting/reports/guest-report.ts'
import type { RegistrationReport } from '#product/reporting/reports/registration-report.ts'
import { ticketUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { readGuestQuery } from './guest-query.ts'

/** Sends the guests that the list is narrowed to, as a file. */
export const guestsCsv = download('event', {
  path: '/e/{event}/guests.csv',
  belongsTo: '/e/{event}/guests',
  permission: 'guests.read',
  open: async (reader, request, services) =>
    csvOf('guests', request.event.slug, await begin(reader, request, services)),
})

/** Sends the same as a spreadsheet. Very many are CSV instead. */
export const guestsXlsx = download('event', {
  path: '/e/{event}/guests.xlsx',
  belongsTo: '/e/{event}/guests',
  permission: 'guests.read',
  open: async (reader, request, services) => {
    const filters = await readFilters(reader, request)
    const report = await beginGuestReport(reader, request.account.id, filters, services.clock())
    return sheetOrCsv('guests', reader, request, { filters, report })
  },
})

/**
 * Sends the same with the address of each ticket, for letters that another program writes. The owner of an address can show the
 * ticket, so only members who may write to guests get it.
 */
export const guestsWithLinksCsv = download('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/guests-with-links.csv',
  belongsTo: '/e/{event}/guests',
  open: async (reader, request, services) => {
    const report = await begin(reader, request, services)
    return csvOf(
      'guests-with-links',
      request.event.slug,
      withLinks(reader, request.account.id, report, services),
    )
  },
})

/** @throws Problem not_found */
async function begin(
  reader: Reader,
  request: EventRequest,
  { clock }: Services,
): Promise<RegistrationReport> {
  return beginGuestReport(reader, request.account.id, await readFilters(reader, request), clock())
}

/** @throws Problem not_found */
async function readFilters(reader: Reader, request: EventRequest): Promise<GuestFilters> {
  const { account, event } = request
  const types = await reader.read(account.id, tx => registrationTypes.listDetails(tx, event.id))
  const { filters } = readGuestQuery(request, types)
  if (filters === undefined) throw new Problem('not_found')
  return filters
}

/** Adds a last column. It is empty for a ticket that admits nobody. */
function withLinks(
  reader: Reader,
  accountId: string,
  report: RegistrationReport,
  server: Server,
): RegistrationReport {
  let versions: ReadonlyMap<string, number> = new Map()
  async function* rows() {
    for await (const some of report.rows) {
      const ids = [...new Set(some.map(({ registration }) => registration.id))]
      versions = await reader.read(accountId, tx => orders.readVersions(tx, ids))
      yield some
    }
  }
  const cellOf: RegistrationReport['columns'][number]['cellOf'] = ({ registration, ticket }) => {
    const version = versions.get(registration.id)
    const isGood = registration.status === 'confirmed' && ticket.voided === 0
    if (version === undefined || !isGood) return null
    return ticketUrl(server, { secret_version: version }, ticket.id)
  }
  return {
    ...report,
    columns: [...report.columns, { name: 'ticket_url', isTyped: false, cellOf }],
    rows: rows(),
  }
}
