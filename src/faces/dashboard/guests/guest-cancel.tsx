import * as cancellations from '../../cancellations/rules.ts'
import * as orders from '../../orders/rules.ts'
import { type CancelForecast, forecastCancel } from '../../registrations/forecast.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { tickField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { readGuest } from './guest.tsx'

const fields = { tell: tickField({ label: texts => texts.guests.tellOrdered }) }

/** Asks whether to cancel one registration, and says what that does. */
export const cancelGuest = formPage('event', {
  path: '/e/{event}/guests/{registration}/cancel',
  permission: 'guests.edit',
  load: async (tx, asked, { clock }) => {
    const { account } = asked
    const forecast = await forecastCancel(tx, account.id, (await readGuest(tx, asked)).id, clock())
    const order = await orders.findOrderOf(tx, account.id, forecast.registration)
    return { ...forecast, isOrdered: order !== undefined }
  },
  fields: () => fields,
  initial: () => ({ tell: true }),
  seen: ({ tickets, checked_in, notified }) => [tickets, checked_in, notified].join(' '),
  view: (forecast, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const { id, buyer } = forecast.registration
    const title = texts.guests.cancelTitle(buyer.name)
    const back = paths.guest(event.id, id)
    return {
      title,
      body: (
        <>
          <Head
            title={<bdi>{title}</bdi>}
            crumbs={
              <a href={back}>
                <bdi>{buyer.name}</bdi>
              </a>
            }
          />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={paths.cancelGuest(event.id, id)}
              submit={texts.guests.cancelSubmit}
              leave={back}
              isDanger
            >
              <ul class="will">
                {sentencesOf(forecast, texts).map(sentence => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
              {forecast.isOrdered && <FieldRows state={state} texts={texts} />}
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account }, { loaded, values }) =>
    cancellations.cancel(tx, account.id, loaded.registration.id, { isTold: values.tell }),
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

function sentencesOf(
  { tickets, checked_in, notified, isOrdered }: CancelForecast & { isOrdered: boolean },
  { guests }: Texts,
): string[] {
  return [
    guests.ticketsVoided(tickets),
    ...(checked_in > 0 ? [guests.alreadyIn(checked_in)] : []),
    guests.placesFreed(tickets),
    notified === 0 ? guests.nobodyNotified : guests.waitlistNotified(notified),
    ...(isOrdered ? [] : [guests.guestNotTold]),
  ]
}
