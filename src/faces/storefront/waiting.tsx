import * as fields from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import { emailField, numberField, textField } from '#machinery/web/forms/field.ts'
import { newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import type { OfferedType } from '#product/catalog/event-pages/schemas.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { MAX_TICKETS } from '#product/selling/orders/schemas.ts'
import { answerOnce } from './answer.ts'
import { FormGuard } from './form-guard.ts'
import { JoinedDocument, WaitingDocument } from './pages/waiting-page.tsx'
import { placedFrom } from './placed-from.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { type Find, type PublicEvent, scaleOf } from './view-page.tsx'
import { speechOf, voiceOf } from './voice.ts'

/** Puts people on the waitlist for types that are sold out. */
export class Waiting {
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
    const found = await this.#find(context)
    const type = this.#typeOf(found, new URLSearchParams(context.querystring).get('type'))
    const state = newForm(fieldsOf(type), scaleOf(found), { quantity: type.min_per_order })
    this.#answer(context, found, type, state)
  }

  async join(context: Context): Promise<void> {
    const { db, memory, clientAddress, orderLimit } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context, bytes => holding.keep('body', bytes))
    const found = await this.#find(context, body)
    const type = this.#typeOf(found, body.get('type'))
    const wanted = fieldsOf(type)
    const sent = readForm(wanted, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) =>
      this.#answer(context, found, type, refusedForm(wanted, scaleOf(found), sent, refused), status)
    const parsed = parseForm(wanted, scaleOf(found), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    const { accountId, eventId } = found
    const { language } = speechOf(context)
    try {
      orderLimit.apply(context)
      this.#guard.refuseProgram(eventId, body)
      if (type.state !== 'sold_out') throw new Problem('not_on_sale', { details: { reason: 'not_sold_out' } })
      const entry = await db.write(accountId, tx =>
        waitlist.join(tx, eventId, {
          ...parsed.values,
          typeId: type.id,
          language,
          placedFrom: placedFrom(this.#services, context.req),
        }),
      )
      const speech = speechOf(context)
      const props = { page: found.page, speech, voice: voiceOf(speech, found.page.event.timezone) }
      answerOnce(context, 200, <JoinedDocument {...props} email={entry.email} />)
    } catch (error) {
      if (!(error instanceof Problem) || statusOf(error) >= 500) throw error
      refuse({ problem: error }, statusOf(error))
    }
  }

  /** @throws Problem route_not_found if the visitor can see no such ticket, or the event has no waitlist */
  #typeOf({ page: { event, types } }: PublicEvent, id: string | null): OfferedType {
    const type = types.find(each => each.id === id)
    if (type === undefined || type.kind === 'extra' || event.waitlist_mode === 'off')
      throw new Problem('route_not_found')
    return type
  }

  #answer(
    context: Context,
    { page, eventId }: PublicEvent,
    type: OfferedType,
    state: ReturnType<typeof newForm>,
    status = 200,
  ): void {
    const speech = speechOf(context)
    const voice = voiceOf(speech, page.event.timezone)
    const shown = this.#guard.seal(eventId)
    answerOnce(context, status, <WaitingDocument {...{ page, type, state, shown, speech, voice }} />)
  }
}

function fieldsOf({ min_per_order: min, max_per_order: max }: OfferedType) {
  return {
    name: textField(fields.personName, {
      label: ({ checkout }) => checkout.name,
      control: { kind: 'input', type: 'text', autocomplete: 'name' },
    }),
    email: emailField({ label: ({ checkout }) => checkout.email }, 'email'),
    quantity: numberField(min, Math.min(max ?? MAX_TICKETS, MAX_TICKETS), {
      label: ({ checkout }) => checkout.howMany,
    }),
  }
}
