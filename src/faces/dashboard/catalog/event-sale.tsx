import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { toSetting } from '#faces/dashboard/frame/way-back.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import {
  areaField,
  choiceField,
  numberField,
  percentField,
  tickField,
  timeField,
} from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { paymentWays } from '#product/catalog/events/states.ts'
import { listConnected } from '#product/selling/payments/methods.ts'
import type { Method } from '#product/selling/payments/processor.ts'
import { editOf, loadEvent, settingsParts } from './event-settings.tsx'
import { onlyThis, saveForFields, saveForRows } from './later-dates.tsx'

/** All of what a buyer has paid, in basis points. */
const FULL_PRICE = 10_000

const fields = {
  payment_ways: choiceField(
    paymentWays,
    texts => paymentWays.map(value => ({ value, label: texts.eventPage.paymentWays[value] })),
    { label: texts => texts.eventPage.paymentWay },
    'radios',
  ),
  payment_days: numberField(1, 365, {
    label: texts => texts.eventPage.paymentDays,
    help: texts => texts.eventPage.paymentDaysHelp,
  }),
  names_locked_at: timeField({ label: texts => texts.eventPage.namesLockedAt }),
  give_on: tickField({
    label: texts => texts.exchanges.giveOnSwitch,
    help: texts => texts.exchanges.giveOnSwitchHelp,
  }),
  cancel_until: timeField({ label: texts => texts.eventPage.cancelUntil }),
  cancel_refund_basis_points: percentField(FULL_PRICE, { label: texts => texts.eventPage.cancelRefund }),
  withdrawal_excluded: tickField({ label: texts => texts.eventPage.withdrawalExcluded }),
  terms: areaField(20_000, 6, {
    label: texts => texts.eventPage.terms,
    help: texts => texts.eventPage.termsHelp,
  }),
}

/** Edits the rules by which the tickets of an event are sold. */
export const eventSale = formPage('event', {
  ...editOf('sale'),
  path: '/e/{event}/settings/sale',
  load: async (tx, request) => ({ ...(await loadEvent(tx, request)), connected: await listConnected(tx) }),
  fields: ({ connected, later }, { voice }) => ({
    ...fields,
    ...saveForFields(later),
    payment_ways: { ...fields.payment_ways, help: () => tellConnected(connected, voice) },
  }),
  current: ({ event }) => ({ ...valuesOf(event), ...onlyThis }),
  parts: ({ event, later }, request, state) => {
    const { eventPage: labels, eventSettings } = request.voice.texts
    return {
      ...settingsParts('sale', request, state),
      rows: [
        ['payment_ways', 'payment_days'],
        {
          legend: labels.names,
          names: ['names_locked_at', 'give_on'],
          help: labels.namesHelp(event.timezone),
        },
        {
          legend: labels.cancelling,
          names: ['cancel_until', 'cancel_refund_basis_points'],
          help: labels.cancelHelp(event.timezone),
          side: true,
        },
        { legend: eventSettings.legal, names: ['withdrawal_excluded', 'terms'] },
        ...saveForRows(later),
      ],
      rest: <WhoSells request={request} />,
    }
  },
})

/** Says which ways to pay the organization has. */
function tellConnected(connected: readonly Method[], { texts, format }: Voice): string {
  if (connected.length === 0) return texts.eventPage.noneSetUp
  return texts.eventPage.areSetUp(format.list(connected.map(method => texts.payment.names[method])))
}

function valuesOf(event: EventDetails): ValuesOf<typeof fields> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  return { ...event, names_locked_at: at(event.names_locked_at), cancel_until: at(event.cancel_until) }
}

/** Leads to what all events of the organization have in common. Only members who have all of them may change it. */
function WhoSells({ request: { account, event, member, voice } }: { request: EventRequest }) {
  const { whoSells, whoSellsAbout, toLegal } = voice.texts.eventSettings
  const here = paths.eventSettings(event.id, 'sale')
  return (
    <section class="card stack" aria-labelledby="who-sells">
      <h2 id="who-sells">{whoSells}</h2>
      <p class="quiet">{whoSellsAbout}</p>
      {member.event_ids === null && (
        <div class="row">
          <ButtonLink href={toSetting(paths.accountSettings(account.id, 'legal'), 'legal_name', here)}>
            {toLegal}
          </ButtonLink>
        </div>
      )}
    </section>
  )
}
