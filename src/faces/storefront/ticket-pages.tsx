import * as fields from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { goneSignal } from '#machinery/http/gone.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import { textField } from '#machinery/web/forms/field.ts'
import { newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { withQuery } from '#machinery/web/link.ts'
import { readLinkSecret } from '#machinery/web/link-secret.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { amendmentEntry } from '#product/guests/registrations/amendment.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import { readTicketDocument } from '#product/selling/guest-mails/ticket-document.ts'
import { ticketUrl } from '#product/selling/orders/links.ts'
import { namesLockedAt } from '#product/selling/orders/names.ts'
import { isHoldersName, renameHolder } from '#product/selling/orders/rename-holder.ts'
import { findLinkedTicket, type LinkedTicket } from '#product/selling/orders/ticket-urls.ts'
import { languages } from '#texts/languages.ts'
import { answerOnce, sendFile } from './answer.ts'
import { problemOf, scaleOf, visitorAsker } from './order-visits.ts'
import { isOff } from './pages/event-off.tsx'
import { HolderNameDocument, TicketDocument } from './pages/ticket-page.tsx'
import type { StorefrontServices } from './storefront-services.ts'
import { SAVED, type TicketView } from './ticket-view.ts'
import { type Speech, speechOf, voiceOf } from './voice.ts'

const nameFields = {
  name: textField(fields.personName, { label: ({ checkout }) => checkout.holderName }),
}

interface Found extends LinkedTicket {
  view: TicketView
}

/** Answers visitors who have the link to a ticket, whether it was ordered, imported or made by a program. */
export class TicketPages {
  readonly #services: StorefrontServices

  constructor(services: StorefrontServices) {
    this.#services = services
  }

  async show(context: Context): Promise<void> {
    const { view } = await this.#find(context)
    const isSaved = new URLSearchParams(context.querystring).get('said') === SAVED
    this.#answer(context, 200, view, props => <TicketDocument {...props} isSaved={isSaved} />)
  }

  /** Sends the ticket for printing, if it admits somebody. */
  async sendPdf(context: Context): Promise<void> {
    const { baseUrl, db, secret, clientAddress } = this.#services
    const { accountId, registrationId, ticketId, view } = await this.#find(context)
    const document = isOff(view.event)
      ? undefined
      : await db.read(accountId, tx =>
          readTicketDocument(
            tx,
            { registrationId, ticketId, language: speechOfReader(context, view).language },
            { baseUrl, secret },
          ),
        )
    if (document === undefined) throw this.#unknown(context)
    const asker = visitorAsker(clientAddress(context.req), ticketId, goneSignal(context.res))
    const file = await ticketPdf(document, asker)
    sendFile(context, 'application/pdf', `${view.event.slug}.pdf`, file)
  }

  async sendCalendar(context: Context): Promise<void> {
    const { baseUrl, db } = this.#services
    const { accountId, view } = await this.#find(context)
    const { event, organizer } = view
    const page = eventPages.pageForAll(baseUrl, organizer.slug, event)
    const file = await db.read(accountId, tx => eventPages.readCalendar(tx, event, page))
    if (file === undefined) throw this.#unknown(context)
    sendFile(context, 'text/calendar; charset=utf-8', `${event.slug}.ics`, Buffer.from(file))
  }

  async showName(context: Context): Promise<void> {
    const { view } = await this.#find(context)
    if (!view.mayRename) throw this.#unknown(context)
    const state = newForm(nameFields, scaleOf(view), { name: view.ticket.name ?? '' })
    this.#answer(context, 200, view, props => <HolderNameDocument {...props} state={state} />)
  }

  async changeName(context: Context): Promise<void> {
    const { db, memory, clientAddress } = this.#services
    const address = clientAddress(context.req)
    const holding = memory.open(context.res, undefined, addressGroup(address))
    const body = await readFormBody(context, bytes => holding.keep('body', bytes))
    const { accountId, registrationId, ticketId, view } = await this.#find(context)
    if (!isHoldersName(view.line, view.ticket)) throw this.#unknown(context)
    const sent = readForm(nameFields, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) => {
      const state = refusedForm(nameFields, scaleOf(view), sent, refused)
      this.#answer(context, status, view, props => <HolderNameDocument {...props} state={state} />)
    }
    const parsed = parseForm(nameFields, scaleOf(view), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      // Whoever has the link acts as the ticket.
      const actor = { accountId, who: `ticket:${ticketId}`, requestId: context.state.requestId, address }
      await recordedWrite(
        db,
        actor,
        tx => renameHolder(tx, view.event, { registrationId, ticketId }, parsed.values.name),
        amendmentEntry(registrationId),
      )
      const { isChosen, language } = speechOf(context)
      redirectTo(context, withQuery(view.path, { said: SAVED, lang: isChosen ? language : undefined }))
    } catch (error) {
      const problem = problemOf(error)
      refuse({ problem }, statusOf(problem))
    }
  }

  /** @throws Problem route_not_found, which takes as long and counts the same for every guess */
  async #find(context: Context): Promise<Found> {
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
        return { linked, line, event, organizer: { name, slug } }
      }))
    const ticket = found?.line.attendees.find(({ id }) => id === target?.id)
    if (target === undefined || found === undefined || ticket === undefined) throw this.#unknown(context)
    const { linked, ...shown } = found
    const path = ticketUrl({ baseUrl: '', secret }, { secret_version: target.version }, target.id)
    const namesUntil = namesLockedAt(shown.event)
    const isOpen = !isOff(shown.event) && this.#services.clock() < namesUntil
    const mayRename = isOpen && isHoldersName(shown.line, ticket)
    return { ...linked, view: { ...shown, ticket, path, mayRename, namesUntil } }
  }

  /** Answers with a page that no cache keeps. */
  #answer(
    context: Context,
    status: number,
    view: TicketView,
    make: (props: Parameters<typeof TicketDocument>[0]) => Parameters<typeof answerOnce>[2],
  ): void {
    const speech = speechOfReader(context, view)
    answerOnce(context, status, make({ ...view, speech, voice: voiceOf(speech, view.event.timezone) }))
    context.set('Cache-Control', 'no-store')
  }

  /** Counts a request for a page that does not exist. */
  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/**
 * Returns the language of whoever reads the page of a ticket: the one that the address names, or else the browser asks for. The
 * holder is often not the buyer. A browser that asks for neither of ours gets the language of the guest.
 */
function speechOfReader(context: Context, { line }: TicketView): Speech {
  const speech = speechOf(context)
  const isAsked = context.get('Accept-Language') !== '' && context.acceptsLanguages(...languages) !== false
  return speech.isChosen || isAsked ? speech : { language: line.language, isChosen: false }
}
