import type { ComponentChildren } from 'preact'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { tickField } from '#machinery/web/forms/field.ts'
import { type CancelForecast, forecastCancel } from '#product/guests/registrations/forecast.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import { hasTicketMail } from '#product/selling/guest-mails/queue-cancelled.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Texts } from '#texts/texts.ts'
import { readGuest } from './guest.tsx'

const fields = {
  tell: tickField({ label: texts => texts.sending.tell, help: texts => texts.sending.tellHelp }),
}

/** Asks whether to cancel one registration, and says what that does. */
export const cancelGuest = formPage('event', {
  path: '/e/{event}/guests/{registration}/cancel',
  permission: 'guests.edit',
  load: async (tx, request, { clock }) => {
    const forecast = await forecastCancel(tx, (await readGuest(tx, request)).id, clock())
    const order = await orders.findOrderOf(tx, forecast.registration)
    return {
      ...forecast,
      wasMailed: order !== undefined || (await hasTicketMail(tx, forecast.registration.id)),
    }
  },
  fields: () => fields,
  // Somebody who was only imported may never have heard of the ticket, so nobody tells them by oversight.
  initial: ({ wasMailed }) => ({ tell: wasMailed }),
  preview: ({ tickets, checked_in, notified, staying }) =>
    JSON.stringify([tickets, checked_in, notified, staying]),
  parts: (forecast, { event, voice: { texts } }) => {
    const { id, buyer } = forecast.registration
    const leave = paths.guest(event.id, id)
    return {
      ...{ title: texts.guests.cancelTitle(buyer.name), isOfPeople: true },
      ...{ crumbs: <NamedLink href={leave} name={buyer.name} />, leave },
      ...{
        submit: texts.guests.cancelSubmit,
        isDanger: true,
        keeps: 'registration',
        will: [...sentencesOf(forecast, texts), ...staysOf(forecast, event.id, texts)],
      },
    }
  },
  act: (tx, _, { loaded, values }) =>
    cancellations.cancel(tx, loaded.registration.id, { notified: values.tell ? 'all' : 'nobody' }),
  entry: ({ params }) => ({
    action: 'registration.cancel',
    targetType: 'registration',
    targetId: params.registration,
  }),
  next: ({ id, buyer }, { event }) => ({
    path: paths.guest(event.id, id),
    flash: flash('guestCancelled', { name: buyer.name }),
  }),
})

/** Says which extras stay, each with the page on which it is cancelled or refunded. */
function staysOf(
  { staying }: CancelForecast,
  eventId: string,
  { guests, checkout }: Texts,
): ComponentChildren[] {
  if (staying.length === 0) return []
  const links = staying.map(({ id, type, count }) => (
    <li key={id}>
      <NamedLink href={paths.guest(eventId, id)} name={checkout.line(count, type)} />
    </li>
  ))
  return [
    <>
      {guests.extrasStay} <ul>{links}</ul>
    </>,
  ]
}

function sentencesOf({ tickets, checked_in, notified }: CancelForecast, { guests }: Texts): string[] {
  return [
    guests.ticketsVoided(tickets),
    ...(checked_in > 0 ? [guests.alreadyIn(checked_in)] : []),
    guests.placesFreed(tickets),
    notified === 0 ? guests.nobodyNotified : guests.waitlistNotified(notified),
  ]
}
