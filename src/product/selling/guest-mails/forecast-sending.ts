import { emailKey } from '#base/fields.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { type GuestFilters, walkGuests } from '#product/guests/registrations/guests.ts'
import { listMailable, type Mailable, type Unmailable } from '#product/guests/registrations/mailable.ts'

/** Selects tickets of an event: those of these registrations, or of all registrations that pass the filters. */
export type TicketChoice = { event_id: string; registrationIds: readonly string[] } | GuestFilters

/** A ticket that can be mailed. */
export interface DueTicket {
  id: string
  /** The address in the form in which e-mails are compared. */
  key: string
  isMailed: boolean
}

/** Says what sending some tickets would do. */
export interface SendForecast {
  /** The tickets that can be mailed, in the order of the choice. */
  tickets: DueTicket[]
  /** How many tickets are mailed to nobody, by the reason. */
  kept: Record<Unmailable, number>
  /** Whether the choice has more tickets than one call sends, or more registrations than it looks at. */
  isMore: boolean
}

/** One job sends this many tickets. Those that were mailed before count apart, so that a repeat gets past them. */
const MOST_SENT = 10_000
/** A forecast looks at this many registrations. With a text it looks at fewer, because matching them takes longer. */
const MOST_LOOKED_AT = 50_000
const MOST_SEARCHED = 5_000
/** One read takes the tickets of this many registrations. */
const READ = 200

/** Forecasts the sending of a choice. It ignores tickets of other events and unknown ids. */
export async function forecastSending(
  reader: Reader,
  accountId: string,
  choice: TicketChoice,
  most = MOST_SENT,
): Promise<SendForecast> {
  const forecast: SendForecast = {
    tickets: [],
    kept: { not_valid: 0, extra: 0, no_address: 0, unverified: 0 },
    isMore: false,
  }
  const counts = { mailed: 0, fresh: 0 }
  for await (const some of chosen(reader, accountId, choice)) {
    if (some === 'more') forecast.isMore = true
    else
      for (const { id, eventId, address, mailedAt, refusal } of some) {
        if (eventId !== choice.event_id) continue
        const isMailed = mailedAt !== null
        const kind = isMailed ? 'mailed' : 'fresh'
        if (refusal !== undefined) forecast.kept[refusal]++
        else if (counts[kind] === most) forecast.isMore = true
        else {
          counts[kind]++
          forecast.tickets.push({ id, key: emailKey(address), isMailed })
        }
      }
    if (counts.fresh === most) break
  }
  return forecast
}

async function* chosen(
  reader: Reader,
  accountId: string,
  choice: TicketChoice,
): AsyncGenerator<Mailable[] | 'more'> {
  if ('registrationIds' in choice) {
    yield* ofRegistrations(reader, accountId, choice.registrationIds)
    return
  }
  // Only confirmed registrations have tickets to send. A text has to be searched in all states together.
  const status = choice.text === undefined ? (choice.status ?? 'confirmed') : choice.status
  const most = choice.text === undefined ? MOST_LOOKED_AT : MOST_SEARCHED
  let looked = 0
  for await (const walked of walkGuests(reader, accountId, { ...choice, status })) {
    if (looked >= most) return yield 'more'
    yield* ofRegistrations(
      reader,
      accountId,
      walked.matching.map(({ id }) => id),
    )
    looked += walked.looked
  }
}

async function* ofRegistrations(
  reader: Reader,
  accountId: string,
  ids: readonly string[],
): AsyncGenerator<Mailable[]> {
  for (let at = 0; at < ids.length; at += READ) {
    yield await reader.read(accountId, tx => listMailable(tx, ids.slice(at, at + READ)))
  }
}

/** One mail brings this many tickets. Somebody with more gets several mails. */
const MOST_OF_ONE_MAIL = 100

/**
 * Returns the ids of the tickets by mail: all tickets of one address are in one mail.
 *
 * @param again whether tickets that were mailed before are sent again
 */
export function inMails(tickets: readonly DueTicket[], again: boolean): string[][] {
  const byAddress = new Map<string, string[]>()
  for (const { id, key, isMailed } of tickets) {
    if (isMailed && !again) continue
    const others = byAddress.get(key)
    if (others === undefined) byAddress.set(key, [id])
    else others.push(id)
  }
  return [...byAddress.values()].flatMap(ids =>
    Array.from({ length: Math.ceil(ids.length / MOST_OF_ONE_MAIL) }, (_, at) =>
      ids.slice(at * MOST_OF_ONE_MAIL, (at + 1) * MOST_OF_ONE_MAIL),
    ),
  )
}
