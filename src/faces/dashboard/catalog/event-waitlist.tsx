import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { choiceField, numberField } from '#machinery/web/forms/field.ts'
import type { waitlistModes } from '#product/catalog/events/states.ts'
import { editOf, loadEvent, settingsParts } from './event-settings.tsx'
import { onlyThis, saveForFields } from './later-dates.tsx'

/** The modes in the order in which the form offers them. */
const OFFERED = ['notify', 'offer', 'off'] as const satisfies readonly (typeof waitlistModes)[number][]

const fields = {
  waitlist_mode: choiceField(
    OFFERED,
    texts => OFFERED.map(value => ({ value, label: texts.eventPage.waitlistModes[value] })),
    { label: texts => texts.eventPage.waitlistMode },
    'radios',
  ),
  waitlist_hours: numberField(1, 720, {
    label: texts => texts.eventPage.waitlistHours,
    help: texts => texts.eventPage.waitlistHoursHelp,
  }),
}

/** Edits what becomes of a place that is free again. */
export const eventWaitlist = formPage('event', {
  ...editOf('waitlist'),
  path: '/e/{event}/settings/waitlist',
  load: loadEvent,
  fields: ({ later }) => ({ ...fields, ...saveForFields(later) }),
  current: ({ event }) => ({ ...event, ...onlyThis }),
  parts: (_, request, state) => settingsParts('waitlist', request, state),
})
