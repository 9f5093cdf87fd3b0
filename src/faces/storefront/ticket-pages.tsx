import * as fields from '#base/fields.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { goneSignal } from '#machinery/http/gone.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { textField } from '#machinery/web/forms/field.ts'
import { newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import { amendmentEntry } from '#product/guests/registrations/amendment.ts'
import { readTicketDocument } from '#product/selling/guest-mails/ticket-document.ts'
import { isHoldersName, renameHolder } from '#product/selling/orders/rename-holder.ts'
import { sendFile } from './answer.ts'
import { problemOf, scaleOf, visitorAsker } from './order-visits.ts'
import { isOff } from './pages/event-off.tsx'
import { HolderNameDocument, TicketDocument } from './pages/ticket-page.tsx'
import type { StorefrontServices } from './storefront-services.ts'
import { TICKET_NOTICES } from './ticket-view.ts'
import { speechOfReader, TicketVisits } from './ticket-visits.ts'
import { speechOf } from './voice.ts'

const nameFields = {
  name: textField(fields.personName, { label: ({ checkout }) => checkout.holderName }),
}

/** Answers visitors who have the link to a ticket, whether it was ordered, imported or made by a program. */
export class TicketPages {
  readonly #services: StorefrontServices
  readonly #visits: TicketVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new TicketVisits(services)
  }

  async show(context: Context): Promise<void> {
    const { view } = await this.#visits.find(context)
    const said = new URLSearchParams(context.querystring).get('said')
    const notice = TICKET_NOTICES.find(each => each === said)
    this.#visits.answer(context, 200, view, props => <TicketDocument {...props} notice={notice} />)
  }

  /** Sends the ticket for printing, if it admits somebody. */
  async sendPdf(context: Context): Promise<void> {
    const { baseUrl, db, secret, clientAddress } = this.#services
    const { accountId, registrationId, ticketId, view } = await this.#visits.find(context)
    const document = isOff(view.event)
      ? undefined
      : await db.read(accountId, tx =>
          readTicketDocument(
            tx,
            { registrationId, ticketId, language: speechOfReader(context, view).language },
            { baseUrl, secret },
          ),
        )
    if (document === undefined) throw this.#visits.unknown(context)
    const asker = visitorAsker(clientAddress(context.req), ticketId, goneSignal(context.res))
    const file = await ticketPdf(document, asker)
    sendFile(context, 'application/pdf', `${view.event.slug}.pdf`, file)
  }

  async sendCalendar(context: Context): Promise<void> {
    const { baseUrl, db } = this.#services
    const { accountId, view } = await this.#visits.find(context)
    const { event, organizer } = view
    const page = eventPages.pageForAll(baseUrl, organizer.slug, event)
    const file = await db.read(accountId, tx => eventPages.readCalendar(tx, event, page))
    if (file === undefined) throw this.#visits.unknown(context)
    sendFile(context, 'text/calendar; charset=utf-8', `${event.slug}.ics`, Buffer.from(file))
  }

  async showName(context: Context): Promise<void> {
    const { view } = await this.#visits.find(context)
    if (!view.mayRename) throw this.#visits.unknown(context)
    const state = newForm(nameFields, scaleOf(view), { name: view.ticket.name ?? '' })
    this.#visits.answer(context, 200, view, props => <HolderNameDocument {...props} state={state} />)
  }

  async changeName(context: Context): Promise<void> {
    const { body, found } = await this.#visits.receive(context)
    const { registrationId, ticketId, view } = found
    if (!isHoldersName(view.line, view.ticket)) throw this.#visits.unknown(context)
    const sent = readForm(nameFields, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) => {
      const state = refusedForm(nameFields, scaleOf(view), sent, refused)
      this.#visits.answer(context, status, view, props => <HolderNameDocument {...props} state={state} />)
    }
    const parsed = parseForm(nameFields, scaleOf(view), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, found),
        tx => renameHolder(tx, view.event, { registrationId, ticketId }, parsed.values.name),
        amendmentEntry(registrationId),
      )
      const { isChosen, language } = speechOf(context)
      redirectTo(context, withQuery(view.path, { said: 'saved', lang: isChosen ? language : undefined }))
    } catch (error) {
      const problem = problemOf(error)
      refuse({ problem }, statusOf(problem))
    }
  }
}
