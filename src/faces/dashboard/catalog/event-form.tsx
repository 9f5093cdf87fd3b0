import { isCurrency } from '#base/money.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { Rows } from '#faces/dashboard/frame/form-parts.tsx'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { type AccountRequest, scaleOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { isUnnotified, UnnotifiedNote } from '#faces/dashboard/mailing/unnotified-note.tsx'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { flash } from '#machinery/web/flash.ts'
import {
  areaField,
  choiceField,
  currencyField,
  type FormScale,
  numberField,
  optionalTextField,
  slugField,
  textField,
  tickField,
  timeField,
  timezoneField,
} from '#machinery/web/forms/field.ts'
import type { SentForm, ValuesOf } from '#machinery/web/forms/form.ts'
import { findZone } from '#machinery/web/forms/zone-search.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type EventDetails, eventFields, MAX_APPROVAL_DAYS } from '#product/catalog/events/schemas.ts'
import { eventVisibilities } from '#product/catalog/events/states.ts'
import type { Texts } from '#texts/texts.ts'

const MAX_DESCRIPTION = 20_000

const place = (label: (texts: Texts) => string) => optionalTextField(eventFields.title, { label })

/** A new event needs these fields. The rest can wait. */
const newFields = {
  title: textField(eventFields.title, {
    label: texts => texts.events.name,
    help: texts => texts.events.nameHelp,
  }),
  starts_at: timeField({ label: texts => texts.events.starts }),
  ends_at: timeField({ label: texts => texts.events.ends }),
  timezone: timezoneField({ label: texts => texts.events.timezone }),
  venue: place(texts => texts.events.venue),
  city: place(texts => texts.events.city),
  currency: currencyField({
    label: texts => texts.events.currency,
    help: texts => texts.events.currencyHelp,
  }),
}

const editFields = {
  ...newFields,
  slug: slugField({ label: texts => texts.events.slug, help: texts => texts.events.slugHelp }),
  description: areaField(MAX_DESCRIPTION, 8, {
    label: texts => texts.events.description,
    help: texts => texts.events.descriptionHelp,
  }),
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
  decision_mails: tickField({
    label: texts => texts.events.decisionMails,
    help: texts => texts.events.decisionMailsHelp,
  }),
}

/** Returns the scale of the time zone and currency that the form itself names. */
function scaleTyped(typed: SentForm['typed'], request: AccountRequest): FormScale {
  const { timezone, currency } = scaleOf(request)
  const [zone = '', money = ''] = [typed.timezone?.[0], typed.currency?.[0]]
  return { timezone: findZone(zone) ?? timezone, currency: isCurrency(money) ? money : currency }
}

export const newEvent = formPage('account', {
  path: '/a/{account}/new-event',
  belongsTo: '/a/{account}',
  permission: 'events.edit',
  isOfAllEvents: true,
  load: async () => undefined,
  fields: () => newFields,
  initial: (_, { account: { timezone, currency } }) => ({ timezone, currency }),
  scale: scaleTyped,
  parts: (_, { account, voice }) => {
    const { newEvent: title, create: submit, title: crumbs } = voice.texts.events
    return { title, submit, crumbs, leave: paths.events(account.id), rows: firstRows(voice.texts) }
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

export const editEvent = formPage('event', {
  path: '/e/{event}/settings',
  permission: 'events.edit',
  navigation: { icon: 'settings', text: texts => texts.navigation.eventSettings },
  load: async (tx, request) => ({
    event: await events.getDetails(tx, request.event.id),
    isUnnotified: await isUnnotified(tx, request),
  }),
  fields: () => editFields,
  current: ({ event }) => valuesOf(event),
  scale: scaleTyped,
  parts: ({ isUnnotified }, request, state) => {
    const { texts } = request.voice
    const { id } = request.event
    return {
      title: texts.events.settings,
      notices: <UnnotifiedNote isUnnotified={isUnnotified} request={request} />,
      submit: texts.page.save,
      leave: paths.event(id),
      other: { action: `${paths.previewEvent(id)}#preview`, text: texts.events.preview },
      rows: [
        ...firstRows(texts),
        ['slug', 'visibility', 'requires_approval', 'approval_days'],
        { legend: texts.abstracts.title, names: ['takes_abstracts', 'decision_mails'] },
        ['description'],
      ],
      more: <Preview description={state.typed.description?.[0] ?? ''} texts={texts} />,
    }
  },
  act: async (tx, { event }, { changes }) => {
    return events.update(tx, event.id, changes)
  },
  entry: ({ event }) => ({
    action: 'event.update',
    targetType: 'event',
    targetId: event.id,
  }),
  next: ({ id, title }) => ({ path: paths.editEvent(id), flash: flash('eventSaved', { title }) }),
})

/** Shows the form as it is typed, with the description as people will see it. It saves nothing. */
export const previewEvent: PageAt<'event'> = {
  path: '/e/{event}/settings/preview',
  level: 'event',
  permission: 'events.edit',
  get: async (services, context, { event }) => goTo(services, context, { path: paths.editEvent(event.id) }),
  post: async (services, context, request) =>
    editEvent.restore?.(services, context, request, context.state.body),
  ...(editEvent.restore && { restore: editEvent.restore }),
}

function Preview({ description, texts }: { description: string; texts: Texts }) {
  if (description.trim() === '') return null
  return (
    <section class="card" aria-labelledby="preview">
      <h2 id="preview">{texts.events.descriptionPreview}</h2>
      <Markdown text={description.slice(0, MAX_DESCRIPTION)} />
    </section>
  )
}

function firstRows({ events: texts }: Texts): Rows[] {
  return [
    ['title'],
    {
      legend: texts.when,
      names: ['starts_at', 'ends_at', 'timezone'],
      help: texts.timezoneHelp,
      side: true,
    },
    { legend: texts.where, names: ['venue', 'city'], side: true },
    ['currency'],
  ]
}

function valuesOf(event: EventDetails): ValuesOf<typeof editFields> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  return {
    ...event,
    starts_at: at(event.starts_at),
    ends_at: at(event.ends_at),
    visibility: event.visibility ?? 'private',
  }
}
