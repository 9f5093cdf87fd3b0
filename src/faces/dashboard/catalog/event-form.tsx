import * as events from '../../events/rules.ts'
import { type EventDetails, eventFields, MAX_APPROVAL_DAYS } from '../../events/schemas.ts'
import { eventVisibilities } from '../../events/states.ts'
import { isCurrency } from '../../money.ts'
import { isTimeZone } from '../../time.ts'
import { Markdown } from '../../web/components/markdown.tsx'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
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
} from '../../web/forms/field.ts'
import type { FormState, SentForm, ValuesOf } from '../../web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import { type OfAccount, scaleOf } from '../asked.ts'
import { goTo } from '../destination.ts'
import { formPage } from '../form-page.ts'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { isUntold, UntoldNote } from '../untold-note.tsx'

const MAX_DESCRIPTION = 20_000

const place = (label: (texts: Texts) => string) => optionalTextField(eventFields.title, { label })

/** What is asked of a new event; the rest can wait. */
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
}

/** Times are those of the time zone that the form itself names. */
function scaleTyped(typed: SentForm['typed'], asked: OfAccount): FormScale {
  const { timezone, currency } = scaleOf(asked)
  const [zone = '', money = ''] = [typed.timezone?.[0], typed.currency?.[0]]
  return { timezone: isTimeZone(zone) ? zone : timezone, currency: isCurrency(money) ? money : currency }
}

export const newEvent = formPage('account', {
  path: '/a/{account}/new-event',
  permission: 'events.edit',
  isOfAllEvents: true,
  load: async () => undefined,
  fields: () => newFields,
  initial: (_, { account: { timezone, currency } }) => ({ timezone, currency }),
  scale: scaleTyped,
  view: (_, asked, state) => {
    const { texts } = asked.voice
    const { newEvent: title, create } = texts.events
    const leave = paths.events(asked.account.id)
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={leave}>{texts.events.title}</a>} />
          <Form
            state={state}
            texts={texts}
            action={paths.newEvent(asked.account.id)}
            submit={create}
            leave={leave}
          >
            <FirstFields state={state} texts={texts} />
          </Form>
        </>
      ),
    }
  },
  act: (tx, { account }, { values }) =>
    events.create(tx, account.id, {
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
  load: async (tx, asked) => ({
    event: await events.getDetails(tx, asked.account.id, asked.event.id),
    isUntold: await isUntold(tx, asked),
  }),
  fields: () => editFields,
  current: ({ event }) => valuesOf(event),
  scale: scaleTyped,
  view: (loaded, asked, state) => {
    const { texts } = asked.voice
    return {
      title: texts.events.settings,
      body: (
        <>
          <Head title={texts.events.settings} />
          <UntoldNote isUntold={loaded.isUntold} asked={asked} />
          <Form
            state={state}
            texts={texts}
            action={paths.editEvent(asked.event.id)}
            submit={texts.page.save}
            leave={paths.event(asked.event.id)}
            other={{ action: paths.previewEvent(asked.event.id), text: texts.events.preview }}
          >
            <FirstFields state={state} texts={texts} />
            <FieldRows
              state={state}
              texts={texts}
              names={['slug', 'visibility', 'requires_approval', 'approval_days', 'description']}
            />
            <Preview description={state.typed.description?.[0] ?? ''} texts={texts} />
          </Form>
        </>
      ),
    }
  },
  act: async (tx, { account, event }, { changes }) => {
    return events.update(tx, account.id, event.id, changes)
  },
  entry: ({ event }) => ({
    action: 'event.update',
    targetType: 'event',
    targetId: event.id,
  }),
  next: ({ id, title }) => ({ path: paths.editEvent(id), flash: flash('eventSaved', { title }) }),
})

/** Shows the form as it is typed, with the description as people will see it. Nothing is saved. */
export const previewEvent: PageAt<'event'> = {
  path: '/e/{event}/settings/preview',
  level: 'event',
  permission: 'events.edit',
  get: async (services, context, { event }) => goTo(services, context, { path: paths.editEvent(event.id) }),
  post: async (services, context, asked) => editEvent.restore?.(services, context, asked, context.state.body),
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

function FirstFields({ state, texts }: { state: FormState; texts: Texts }) {
  const rows = { state, texts }
  return (
    <>
      <FieldRows {...rows} names={['title']} />
      <FieldGroup
        {...rows}
        legend={texts.events.when}
        names={['starts_at', 'ends_at', 'timezone']}
        help={texts.events.timezoneHelp}
        side
      />
      <FieldGroup {...rows} legend={texts.events.where} names={['venue', 'city']} side />
      <FieldRows {...rows} names={['currency']} />
    </>
  )
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
