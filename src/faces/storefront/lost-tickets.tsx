import { Problem } from '#base/problem.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import { emailField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { requestTickets } from '#product/selling/orders/request-tickets.ts'
import { answerOnce } from './answer.ts'
import { FormGuard } from './form-guard.ts'
import { LostDocument, LostSentDocument, mayAskAgain } from './pages/lost-page.tsx'
import { pathOf, paths } from './paths.ts'
import { placedFrom } from './placed-from.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { type Find, type PublicEvent, scaleOf } from './view-page.tsx'
import { inSpeech, speakOf, speechOf } from './voice.ts'

const wanted = { email: emailField({ label: ({ checkout }) => checkout.lost.email }, 'email') }

/** Sends people who have lost the mail with their tickets all that they have of an event. */
export class LostTickets {
  readonly #services: StorefrontServices
  readonly #find: Find
  readonly #guard: FormGuard

  /** @param find returns the event that the address names, for this visitor. @throws Problem route_not_found */
  constructor(services: StorefrontServices, find: Find) {
    this.#services = services
    this.#find = find
    this.#guard = new FormGuard(services)
  }

  async show(context: Context): Promise<void> {
    const found = this.#openOf(await this.#find(context))
    this.#answer(context, found, newForm(wanted, scaleOf(found)))
  }

  /** Answers every address alike, whether or not it has tickets. */
  async send(context: Context): Promise<void> {
    const { db, memory, clientAddress, orderLimit } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context, bytes => holding.keep('body', bytes))
    const found = this.#openOf(await this.#find(context, body))
    const { accountId, eventId, page } = found
    const sent = readForm(wanted, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) =>
      this.#answer(context, found, refusedForm(wanted, scaleOf(found), sent, refused), status)
    const parsed = parseForm(wanted, scaleOf(found), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    const { email } = parsed.values
    const { language } = speechOf(context)
    try {
      orderLimit.apply(context)
      this.#guard.refuseProgram(eventId, body)
      const networks = placedFrom(this.#services, context.req)
      await db.write(accountId, tx => requestTickets(tx, eventId, { email, language, networks }))
    } catch (error) {
      if (!(error instanceof Problem) || statusOf(error) >= 500) throw error
      return refuse({ problem: error }, statusOf(error))
    }
    answerOnce(context, 200, <LostSentDocument {...lostOf(context, page)} email={email} />)
  }

  /** @throws Problem route_not_found for an event of which nobody can have use for tickets */
  #openOf(found: PublicEvent): PublicEvent {
    if (!mayAskAgain(found.page)) throw new Problem('route_not_found')
    return found
  }

  #answer(context: Context, { page, eventId }: PublicEvent, state: FormState, status = 200): void {
    const shown = this.#guard.seal(eventId)
    const action = paths.lostTickets(page.organizer.slug, page.event.slug)
    answerOnce(context, status, <LostDocument {...lostOf(context, page)} {...{ state, shown, action }} />)
  }
}

/** What the pages of those say who have lost their tickets. */
function lostOf(context: Context, page: PublicEvent['page']) {
  const { speech, voice } = speakOf(context, page)
  const { lost, toEvent: leaveText } = voice.texts.checkout
  return { page, speech, voice, lost, leave: inSpeech(speech, pathOf(page)), leaveText }
}
