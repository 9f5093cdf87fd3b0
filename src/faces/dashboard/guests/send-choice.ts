import { isUuid } from '#base/ids.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import type { Reader } from '#machinery/db/batches.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as imports from '#product/guests/imports/rules.ts'
import type { ImportLine } from '#product/guests/imports/schemas.ts'
import {
  forecastSending,
  type SendForecast,
  type TicketChoice,
} from '#product/selling/guest-mails/forecast-sending.ts'
import { readGuestQuery } from './guest-query.ts'

/** A page can tick at most this many registrations. */
const MOST_IDS = 100
/** One read takes this many lines of an import. */
const LINES = 1_000

/** Forecasts the sending of what an address chooses: the ticked registrations, a page, all that match, or what an import added. */
export async function forecastChosen({ db }: Services, request: EventRequest): Promise<SendForecast> {
  const { account, event, query } = request
  return forecastSending(db, account.id, await readChoice(db, request, event.id, query))
}

async function readChoice(
  reader: Reader,
  request: EventRequest,
  event_id: string,
  query: URLSearchParams,
): Promise<TicketChoice> {
  const upload = query.get('import')
  if (upload !== null) return { event_id, registrationIds: await readImported(reader, request, upload) }
  if (query.get('scope') !== 'all') return { event_id, registrationIds: readTicked(query) }
  const types = await reader.read(request.account.id, tx => registrationTypes.listDetails(tx, event_id))
  return readGuestQuery(request, types).filters ?? { event_id, registrationIds: [] }
}

/** Reads the ids of the registrations that are ticked in the list of guests, or of all on its page, where the address says so. */
export function readTicked(query: URLSearchParams): string[] {
  const ids = query.getAll(query.get('scope') === 'page' ? 'page' : 'id').map(id => id.toLowerCase())
  return [...new Set(ids.filter(isUuid))].slice(0, MOST_IDS)
}

/** Reads the registrations that an import has added, in the order of its lines. @throws Problem not_found */
async function readImported(
  reader: Reader,
  { account, event }: EventRequest,
  uploadId: string,
): Promise<string[]> {
  const ids: string[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    const lines: ImportLine[] = await reader.read(account.id, async tx => {
      await imports.get(tx, uploadId, event.id)
      return imports.listLines(tx, uploadId, { after: from, limit: LINES, fate: 'added' })
    })
    ids.push(...lines.flatMap(({ details }) => details.registration_id ?? []))
    after = lines.at(-1)?.line
  }
  return ids
}
