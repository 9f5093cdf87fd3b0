import * as base from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { readGuestTicket } from '#faces/dashboard/guests/guest.tsx'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choiceField, optionalTextField, textField, tickField } from '#machinery/web/forms/field.ts'
import { newForm } from '#machinery/web/forms/form.ts'
import { FieldRows } from '#machinery/web/forms/form-view.tsx'
import { may } from '#product/administration/users/roles.ts'
import { ticketsAmong } from '#product/catalog/registration-types/kinds.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import {
  type Exchangeable,
  type ExchangeForecast,
  exchangeTicket,
  forecastExchange,
  readExchangeable,
} from '#product/selling/exchanges/rules.ts'

interface Loaded extends Exchangeable {
  types: readonly TypeDetails[]
  /** It is undefined as long as the address names no type. */
  forecast: ExchangeForecast | undefined
}

/** Asks for the type of the new ticket, and then for its holder, with what the exchange comes to. */
export const exchangePage = formPage('event', {
  path: '/e/{event}/guests/{registration}/tickets/{ticket}/exchange',
  permission: 'guests.edit',
  load: async (tx, request): Promise<Loaded> => {
    const { guest, ticket } = await readGuestTicket(tx, request)
    const of = { registrationId: guest.id, ticketId: ticket.id }
    const types = ticketsAmong(await registrationTypes.listDetails(tx, guest.event_id))
    const type = types.find(({ id }) => id === request.query.get('type'))
    const forecast = type && (await forecastExchange(tx, { ...of, typeId: type.id }))
    return { ...(forecast ?? (await readExchangeable(tx, of))), types, forecast }
  },
  fields: ({ forecast }, request) => ({ ...holderFields, ...moneyFields(forecast, request) }),
  initial: ({ ticket, order }) => ({
    name: ticket.name ?? order.buyer.name,
    email: ticket.email,
    back: true,
  }),
  preview: ({ forecast }) =>
    forecast === undefined
      ? ''
      : JSON.stringify([forecast.type.id, forecast.paid, forecast.back, forecast.dearer]),
  parts: (loaded, request) => {
    const { exchanges: texts } = request.voice.texts
    const { registration, ticket, order, forecast } = loaded
    const name = ticket.name ?? order.buyer.name
    const leave = paths.guest(request.event.id, registration.id)
    const crumbs = <NamedLink href={leave} name={order.buyer.name} />
    if (forecast !== undefined) {
      const title = texts.confirmTitle(name, forecast.type.name)
      return { title, isOfPeople: true, crumbs, ...confirmation(forecast, request) }
    }
    const instead = <ChooseType loaded={loaded} request={request} leave={leave} />
    return { title: texts.title(name), about: texts.about, isOfPeople: true, crumbs, submit: '', instead }
  },
  act: (tx, _, { values, loaded: { registration, ticket, forecast } }) => {
    if (forecast === undefined) throw new Problem('seen_changed')
    const { name, email, back } = values
    return exchangeTicket(tx, {
      ...{ registrationId: registration.id, ticketId: ticket.id, typeId: forecast.type.id },
      ...{ holder: { name, email }, back: back ? forecast.back : 0 },
    })
  },
  entry: ({ params }) => ({
    action: 'registration.exchange',
    targetType: 'registration',
    targetId: params.registration,
    details: (_, done) => ({
      ticket_id: params.ticket,
      new_registration_id: done?.made.id,
      amount: done?.refunds.reduce((sum, { amount }) => sum + amount, 0),
    }),
  }),
  next: ({ made, refunds }, { event }) => ({
    path: paths.guest(event.id, made.id),
    flash: refunds.some(({ is_by_hand }) => is_by_hand)
      ? flash('refundByHand', {})
      : flash('ticketExchanged', {}),
  }),
})

const holderFields = {
  name: textField(base.personName, { label: texts => texts.exchanges.holder }),
  email: optionalTextField(base.email, {
    label: texts => texts.exchanges.email,
    control: { kind: 'input', type: 'email' },
  }),
}

/** Only those who may refund can give a difference back. For all others nothing goes back. */
function moneyFields(forecast: ExchangeForecast | undefined, { member, voice, event }: EventRequest) {
  const isOffered = forecast !== undefined && forecast.back > 0 && may(member.role, 'refunds')
  const amount = voice.format.money(forecast?.back ?? 0, event.currency)
  const asked = tickField({
    label: texts => texts.exchanges.giveBack(amount),
    help: texts => texts.exchanges.giveBackHelp,
  })
  return { back: isOffered ? asked : { ...asked, parse: () => ({ value: false }) } }
}

function confirmation(
  { registration, ticket, type, paid, back, dearer }: ExchangeForecast,
  request: EventRequest,
) {
  const { event, member, voice } = request
  const { exchanges: texts } = voice.texts
  const action = paths.exchangeTicket(event.id, { registration: registration.id, ticket: ticket.id })
  const say = (amount: number) => voice.format.money(amount, event.currency)
  const isOffered = back > 0 && may(member.role, 'refunds')
  return {
    action: `${action}?${new URLSearchParams({ type: type.id })}`,
    ...{ submit: texts.submit, leave: action, leaveText: texts.chooseAgain },
    will: [
      texts.will.void,
      ...(type.id === registration.registration_type_id
        ? []
        : [<bdi key="freed">{texts.will.freed(registration.registration_type_name ?? '')}</bdi>]),
      moneySentence({ type, paid, dearer }),
      texts.will.mailed,
    ],
    rows: [['name', 'email'], ...(isOffered ? [['back']] : [])],
  }

  function moneySentence(of: Pick<ExchangeForecast, 'type' | 'paid' | 'dearer'>): string {
    const price = say(of.type.price)
    if (of.paid === 0 && of.type.price === 0) return texts.will.free
    if (of.dearer > 0) return texts.will.dearer(price, say(of.paid), say(of.dearer))
    return of.paid > of.type.price ? texts.will.cheaper(price, say(of.paid)) : texts.will.same(price)
  }
}

interface ChooseProps {
  loaded: Loaded
  request: EventRequest
  leave: string
}

/** Leads to the page that asks for the holder. The form itself does nothing. */
function ChooseType({ loaded: { types, registration, ticket }, request, leave }: ChooseProps) {
  const { event, voice } = request
  const { texts, format } = voice
  const { exchanges } = texts
  const leftOf = ({ id, available }: TypeDetails) =>
    id === registration.registration_type_id
      ? exchanges.same
      : available === 0
        ? exchanges.full
        : exchanges.left(available)
  const type = choiceField(
    types.map(({ id }) => id),
    () =>
      types.map(each => {
        const price = each.price === 0 ? texts.storefront.free : format.money(each.price, event.currency)
        return { value: each.id, label: exchanges.typeOf(each.name, price, leftOf(each)) }
      }),
    { label: () => exchanges.type },
    'radios',
  )
  const scale = { timezone: event.timezone, currency: event.currency }
  const state = newForm({ type }, scale, { type: registration.registration_type_id as string })
  const action = paths.exchangeTicket(event.id, { registration: registration.id, ticket: ticket.id })
  return (
    <div class="card">
      <form method="get" action={action} class="form" novalidate>
        <FieldRows state={state} texts={texts} />
        <div class="end-bar">
          <button type="submit" class="button main">
            {exchanges.goOn}
          </button>
          <a class="button plain" href={leave}>
            {texts.page.leave}
          </a>
        </div>
      </form>
    </div>
  )
}
