import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import type { Context } from '#machinery/http/face.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import { readLinkSecret } from '#machinery/web/link-secret.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { type Details, getDetails } from '#product/guests/registrations/details.ts'
import { wasExchanged } from '#product/guests/registrations/exchange.ts'
import { mayGiveOn } from '#product/selling/exchanges/give-on.ts'
import { ticketUrl } from '#product/selling/orders/links.ts'
import { namesLockedAt } from '#product/selling/orders/names.ts'
import { isHoldersName } from '#product/selling/orders/rename-holder.ts'
import { findLinkedTicket, type LinkedTicket } from '#product/selling/orders/ticket-urls.ts'
import { languages } from '#texts/languages.ts'
import { answerOnce } from './answer.ts'
import { isOff } from './pages/event-off.tsx'
import type { StorefrontServices } from './storefront-services.ts'
import type { TicketView } from './ticket-view.ts'
import { type Speech, speechOf, voiceOf } from './voice.ts'

/** A ticket that a visitor has the link to. */
export interface FoundTicket extends LinkedTicket {
  view: TicketView
}

/** Finds the ticket of a visitor with its link, and answers the visitor. */
export class TicketVisits {
  readonly #services: StorefrontServices

  constructor(services: StorefrontServices) {
    this.#services = services
  }

  /** Reads a form that such a page has sent. */
  async receive(context: Context): Promise<{ body: URLSearchParams; found: FoundTicket }> {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context, bytes => holding.keep('body', bytes))
    return { body, found: await this.find(context) }
  }

  /** A visitor with the link acts as the ticket. */
  actorOf(context: Context, { accountId, ticketId }: FoundTicket): Actor {
    const address = this.#services.clientAddress(context.req)
    return { accountId, who: `ticket:${ticketId}`, requestId: context.state.requestId, address }
  }

  /** @throws Problem route_not_found, which takes as long and counts the same for every guess */
  async find(context: Context): Promise<FoundTicket> {
    const { db, secret } = this.#services
    const target = readLinkSecret(secret, 'ticket', context.captures[0] ?? '')
    const found =
      target &&
      (await db.read(INSTANCE, async tx => {
        const linked = await findLinkedTicket(tx, target)
        if (linked === undefined) return undefined
        const ofAccount = tx.of(linked.accountId)
        const line = await getDetails(ofAccount, linked.registrationId)
        const event = await events.getDetails(ofAccount, line.event_id)
        const { name, slug } = await accounts.getDetails(ofAccount)
        const isExchanged = await isGone(ofAccount, line, target.id)
        const look = await looks.find(ofAccount, event.id)
        return { linked, line, event, organizer: { name, slug, look }, isExchanged }
      }))
    const ticket = found?.line.attendees.find(({ id }) => id === target?.id)
    if (target === undefined || found === undefined || ticket === undefined) throw this.unknown(context)
    const { linked, ...shown } = found
    const path = ticketUrl({ baseUrl: '', secret }, { secret_version: target.version }, target.id)
    const namesUntil = namesLockedAt(shown.event)
    const now = this.#services.clock()
    const isOpen = !isOff(shown.event) && now < namesUntil
    const mayRename = isOpen && isHoldersName(shown.line, ticket)
    const isGivable = mayGiveOn(shown.event, shown.line, ticket, now)
    return { ...linked, view: { ...shown, ticket, path, mayRename, mayGiveOn: isGivable, namesUntil } }
  }

  /** Answers with a page that no cache keeps. */
  answer(
    context: Context,
    status: number,
    view: TicketView,
    make: (props: TicketView & { speech: Speech; voice: Voice }) => Parameters<typeof answerOnce>[2],
  ): void {
    const speech = speechOfReader(context, view)
    answerOnce(context, status, make({ ...view, speech, voice: voiceOf(speech, view.event.timezone) }))
    context.set('Cache-Control', 'no-store')
  }

  /** Counts a request for a page that does not exist. */
  unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/** Tells whether another ticket took the place of a void one. */
async function isGone(tx: ReadTx, { attendees }: Details, ticketId: string): Promise<boolean> {
  const ticket = attendees.find(({ id }) => id === ticketId)
  return ticket?.voided === true && wasExchanged(tx, ticketId)
}

/**
 * Returns the language of whoever reads the page of a ticket: the one that the address names, or else the browser asks for. The
 * holder is often not the buyer. A browser that asks for neither of ours gets the language of the guest.
 */
export function speechOfReader(context: Context, { line }: Pick<TicketView, 'line'>): Speech {
  const speech = speechOf(context)
  const isAsked = context.get('Accept-Language') !== '' && context.acceptsLanguages(...languages) !== false
  return speech.isChosen || isAsked ? speech : { language: line.language, isChosen: false }
}
