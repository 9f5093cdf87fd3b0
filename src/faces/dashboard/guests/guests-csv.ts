import type { Reader } from '../../db/batches.ts'
import type { Server } from '../../emails/kind.ts'
import { ticketUrl } from '../../orders/mails.tsx'
import * as orders from '../../orders/rules.ts'
import { Problem } from '../../problem.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { beginGuestReport } from '../../reports/guest-report.ts'
import { type RegistrationReport, toCsvChunks } from '../../reports/registration-report.ts'
import type { OfEvent, Services } from '../asked.ts'
import { download } from '../download.ts'
import { readGuestQuery } from '../guest-query.ts'
import { OF_MESSAGES } from '../message-parts.tsx'

/** The guests that a list is narrowed to, as a file. */
export const guestsCsv = download('event', {
  path: '/e/{event}/guests.csv',
  permission: 'guests.read',
  open: async (reader, asked, services) => fileOf('guests', asked, await begin(reader, asked, services)),
})

/**
 * The same with the address of each ticket, for letters that another program writes: whoever has it shows the ticket, and so only
 * those get it who may write to guests.
 */
export const guestsWithLinksCsv = download('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/guests-with-links.csv',
  open: async (reader, asked, services) => {
    const report = await begin(reader, asked, services)
    return fileOf('guests-with-links', asked, withLinks(reader, asked.account.id, report, services))
  },
})

/** @throws Problem not_found */
async function begin(reader: Reader, asked: OfEvent, { clock }: Services): Promise<RegistrationReport> {
  const { account, event } = asked
  const types = await reader.read(tx => registrationTypes.listByEvent(tx, account.id, event.id))
  const { filters } = readGuestQuery(asked, types)
  if (filters === undefined) throw new Problem('not_found')
  return beginGuestReport(reader, account.id, filters, clock())
}

function fileOf(name: string, { event }: OfEvent, report: RegistrationReport) {
  return {
    type: 'text/csv; charset=utf-8',
    fileName: `${name}-${event.slug}.csv`,
    chunks: toCsvChunks(report),
  }
}

/** Adds a last column: empty for a ticket that admits nobody, or that was not ordered here. */
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
      versions = await reader.read(tx => orders.readVersions(tx, accountId, ids))
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
