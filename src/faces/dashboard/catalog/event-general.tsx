import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { isUnnotified, UnnotifiedNote } from '#faces/dashboard/mailing/unnotified-note.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { choiceField, numberField, slugField, tickField } from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { MAX_APPROVAL_DAYS } from '#product/catalog/events/schemas.ts'
import { eventVisibilities } from '#product/catalog/events/states.ts'
import { addressBefore, scaleTyped, whenFields } from './event-form.tsx'
import { editOf, type LoadedEvent, loadEvent, settingsParts } from './event-settings.tsx'
import { onlyThis, saveForFields, saveForRows } from './later-dates.tsx'

interface Loaded extends LoadedEvent {
  /** The address of the public page up to the name of the event. */
  address: string
  isUnnotified: boolean
}

async function load(tx: ReadTx, request: EventRequest, { baseUrl }: Services): Promise<Loaded> {
  const { slug } = await accounts.getDetails(tx)
  return {
    ...(await loadEvent(tx, request)),
    address: addressBefore(baseUrl, slug),
    isUnnotified: await isUnnotified(tx, request),
  }
}

const { title, ...others } = whenFields

const fieldsOf = ({ address, later }: Loaded) => ({
  title,
  slug: slugField({ label: texts => texts.events.slug, help: texts => texts.events.slugHelp }, address),
  ...others,
  visibility: choiceField(
    eventVisibilities,
    texts => eventVisibilities.map(value => ({ value, label: texts.events.visibilities[value] })),
    { label: texts => texts.events.visibility },
    'radios',
  ),
  requires_approval: tickField({ label: texts => texts.events.requiresApproval }),
  approval_days: numberField(1, MAX_APPROVAL_DAYS, {
    label: texts => texts.events.approvalDays,
    help: texts => texts.events.approvalDaysHelp,
  }),
  takes_abstracts: tickField({
    label: texts => texts.events.takesAbstracts,
    help: texts => texts.events.takesAbstractsHelp,
  }),
  ...saveForFields(later, ({ series }) => `${series.saveForHelp} ${series.linkStays}`),
})

/** Edits what an event is: its name, its dates, and who may find it and register. */
export const eventGeneral = formPage('event', {
  ...editOf('general'),
  path: '/e/{event}/settings',
  navigation: { icon: 'settings', text: texts => texts.eventSettings.title },
  load,
  fields: loaded => fieldsOf(loaded),
  current: valuesOf,
  scale: scaleTyped,
  parts: ({ isUnnotified, later }, request, state) => {
    const { events: labels, abstracts, eventSettings } = request.voice.texts
    return {
      ...settingsParts('general', request, state),
      notices: <UnnotifiedNote isUnnotified={isUnnotified} request={request} />,
      rows: [
        ['title', 'slug'],
        {
          legend: labels.when,
          names: ['starts_at', 'ends_at', 'timezone'],
          help: labels.timezoneHelp,
          side: true,
        },
        ['currency', 'visibility'],
        { legend: eventSettings.approval, names: ['requires_approval', 'approval_days'] },
        { legend: abstracts.title, names: ['takes_abstracts'] },
        ...saveForRows(later),
      ],
    }
  },
})

function valuesOf({ event }: Loaded): ValuesOf<ReturnType<typeof fieldsOf>> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  return {
    ...event,
    ...onlyThis,
    starts_at: at(event.starts_at),
    ends_at: at(event.ends_at),
    visibility: event.visibility ?? 'private',
  }
}
