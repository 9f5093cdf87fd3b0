import type { OfferedType } from '../event-pages/schemas.ts'
import * as fields from '../fields.ts'
import { addressGroup } from '../http/client-address.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { MAX_TICKETS } from '../orders/schemas.ts'
import { Problem } from '../problem.ts'
import * as waitlist from '../waitlist/rules.ts'
import { readFormBody } from '../web/form-body.ts'
import { emailField, numberField, textField } from '../web/forms/field.ts'
import { newForm, parseForm, readForm, refusedForm } from '../web/forms/form.ts'
import { answerOnce } from './answer.ts'
import { FormGuard } from './form-guard.ts'
import { JoinedDocument, WaitingDocument } from './pages/waiting-page.tsx'
import type { Find, Seen } from './pages.tsx'
import type { Visited } from './visited.ts'
import { speechOf, voiceOf } from './voice.ts'

/** Takes those who wait for what is sold out. */
export class Waiting {
  readonly #services: Visited
  readonly #find: Find
  readonly #guard: FormGuard

  /** @param find the event that the address names, for who asks. @throws Problem route_not_found */
  constructor(services: Visited, find: Find) {
    this.#services = services
    this.#find = find
    this.#guard = new FormGuard(services)
  }

  async show(context: Context): Promise<void> {
    const seen = await this.#find(context)
    const type = this.#typeOf(seen, new URLSearchParams(context.querystring).get('type'))
    const state = newForm(fieldsOf(type), scaleOf(seen), { quantity: type.min_per_order })
    this.#answer(context, seen, type, state)
  }

  async join(context: Context): Promise<void> {
    const { db, memory, clientAddress, orderLimit } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context.req, bytes => holding.keep('body', bytes))
    const seen = await this.#find(context, body)
    const type = this.#typeOf(seen, body.get('type'))
    const wanted = fieldsOf(type)
    const sent = readForm(wanted, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) =>
      this.#answer(context, seen, type, refusedForm(wanted, scaleOf(seen), sent, refused), status)
    const parsed = parseForm(wanted, scaleOf(seen), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    const { accountId, eventId } = seen
    const { language } = speechOf(context)
    try {
      orderLimit.apply(context)
      this.#guard.refuseProgram(eventId, body)
      if (type.state !== 'soldOut') throw new Problem('not_on_sale', { details: { reason: 'not_sold_out' } })
      const entry = await db.write(accountId, tx =>
        waitlist.join(tx, accountId, eventId, { ...parsed.values, typeId: type.id, language }),
      )
      const speech = speechOf(context)
      const props = { page: seen.page, speech, voice: voiceOf(speech, seen.page.event.timezone) }
      answerOnce(context, 200, <JoinedDocument {...props} email={entry.email} />)
    } catch (error) {
      if (!(error instanceof Problem) || statusOf(error) >= 500) throw error
      refuse({ problem: error }, statusOf(error))
    }
  }

  /** @throws Problem route_not_found where there is no such type to be seen, or no waitlist */
  #typeOf({ page: { event, types } }: Seen, id: string | null): OfferedType {
    const type = types.find(each => each.id === id)
    if (type === undefined || event.waitlist_mode === 'off') throw new Problem('route_not_found')
    return type
  }

  #answer(
    context: Context,
    { page, eventId }: Seen,
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
    name: textField(fields.name(), {
      label: ({ checkout }) => checkout.name,
      control: { kind: 'input', type: 'text', autocomplete: 'name' },
    }),
    email: emailField({ label: ({ checkout }) => checkout.email }, 'email'),
    quantity: numberField(min, Math.min(max ?? MAX_TICKETS, MAX_TICKETS), {
      label: ({ checkout }) => checkout.howMany,
    }),
  }
}

function scaleOf({ page: { event } }: Seen) {
  return { timezone: event.timezone, currency: event.currency }
}
