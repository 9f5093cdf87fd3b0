import { isCurrency } from '#base/money.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { type AccountRequest, scaleOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import {
  currencyField,
  type FormScale,
  optionalTextField,
  textField,
  timeField,
  timezoneField,
} from '#machinery/web/forms/field.ts'
import type { SentForm } from '#machinery/web/forms/form.ts'
import { findZone } from '#machinery/web/forms/zone-search.ts'
import * as events from '#product/catalog/events/rules.ts'
import { eventFields } from '#product/catalog/events/schemas.ts'
import type { Texts } from '#texts/texts.ts'

const place = (label: (texts: Texts) => string) => optionalTextField(eventFields.title, { label })

/** Says what an event is called, when it is, and in what its tickets are priced. */
export const whenFields = {
  title: textField(eventFields.title, {
    label: texts => texts.events.name,
    help: texts => texts.events.nameHelp,
  }),
  starts_at: timeField({ label: texts => texts.events.starts }),
  ends_at: timeField({ label: texts => texts.events.ends }),
  timezone: timezoneField({ label: texts => texts.events.timezone }),
  currency: currencyField({
    label: texts => texts.events.currency,
    help: texts => texts.events.currencyHelp,
  }),
}

/** Says where an event is. */
export const whereFields = {
  venue: place(texts => texts.events.venue),
  city: place(texts => texts.events.city),
}

const { currency, ...when } = whenFields

/** A new event needs these fields. The rest can wait. */
const newFields = { ...when, ...whereFields, currency }

/** Returns what stands before the name of an event in the address of its page. @param slug the name of the account, if it has one */
export function addressBefore(baseUrl: string, slug: string | null): string {
  return `${baseUrl}/${slug ?? '…'}/`
}

/** Returns the scale of the time zone and currency that the form itself names. */
export function scaleTyped(typed: SentForm['typed'], request: AccountRequest): FormScale {
  const { timezone, currency } = scaleOf(request)
  const [zone = '', money = ''] = [typed.timezone?.[0], typed.currency?.[0]]
  return { timezone: findZone(zone) ?? timezone, currency: isCurrency(money) ? money : currency }
}

export const newEvent = formPage('account', {
  path: '/a/{account}/new-event',
  belongsTo: '/a/{account}',
  permission: 'events.edit',
  isOfAllEvents: true,
  keepsTyped: true,
  load: async () => undefined,
  fields: () => newFields,
  initial: (_, { account: { timezone, currency } }) => ({ timezone, currency }),
  scale: scaleTyped,
  parts: (_, { account, voice }) => {
    const { events: labels } = voice.texts
    const { newEvent: title, create: submit, title: crumbs, when, timezoneHelp, where } = labels
    return {
      ...{ title, submit, crumbs, leave: paths.events(account.id) },
      rows: [
        ['title'],
        { legend: when, names: ['starts_at', 'ends_at', 'timezone'], help: timezoneHelp, side: true },
        { legend: where, names: ['venue', 'city'], side: true },
        ['currency'],
      ],
    }
  },
  act: (tx, _, { values }) =>
    events.create(tx, {
      ...values,
      visibility: 'public',
      requires_approval: false,
      description: null,
    }),
  entry: () => ({ action: 'event.create', targetType: 'event', targetOf: ({ id }) => id }),
  next: ({ id, title }) => ({ path: paths.event(id), flash: flash('eventCreated', { title }) }),
})
