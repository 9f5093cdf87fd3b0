import { goTo } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content } from '#machinery/mail/kind.ts'
import { mailTextFields } from '#machinery/mail/schemas.ts'
import { flash } from '#machinery/web/flash.ts'
import { choiceField, choicesField, textField } from '#machinery/web/forms/field.ts'
import type { FormState, ValuesOf } from '#machinery/web/forms/form.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { contentOf, exampleLink } from '#product/mailing/announcements/mail.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import {
  type Announcement,
  type Audience,
  dateChoices,
  groups,
  isOfTickets,
  placeholders,
} from '#product/mailing/announcements/schemas.ts'
import { ANNOUNCEMENT_PATH, findDraft, ToAnnouncement } from './announcement-parts.tsx'
import { LetterCard, OF_MESSAGES } from './message-parts.tsx'
import { Placeholders } from './message-texts.tsx'

type DateChoice = (typeof dateChoices)[number]

interface Loaded {
  types: readonly TypeDetails[]
  /** Those who submit and review are offered where the event takes abstracts. */
  offered: readonly Audience['group'][]
  /** The dates of the series that are offered. An event of no series has one alone, and one without a start has no later ones. */
  dates: readonly DateChoice[]
  /** The content that fills in a previewed text. */
  content: Content
}

async function load(tx: ReadTx, { event, user }: EventRequest): Promise<Loaded> {
  return {
    types: await registrationTypes.listDetails(tx, event.id),
    offered: groups.filter(group => event.takes_abstracts || isOfTickets(group)),
    dates: dateChoices.filter(
      each => each === 'this' || (event.series_id !== null && (each === 'all' || event.starts_at !== null)),
    ),
    content: await contentOf(
      tx,
      event.id,
      { subject: '', body: '' },
      { name: user.name, ticket: exampleLink(user.language) },
    ),
  }
}

function fieldsOf({ types, offered, dates: chosen }: Loaded) {
  const ids = types.map(({ id }) => id)
  const dates = choiceField(
    chosen,
    texts => chosen.map(value => ({ value, label: texts.announcements.dates[value] })),
    { label: texts => texts.announcements.datesOf, help: texts => texts.announcements.datesHelp },
    'radios',
  )
  const fields = {
    group: choiceField(
      offered,
      texts => offered.map(value => ({ value, label: texts.announcements.groups[value] })),
      { label: texts => texts.announcements.group, help: texts => texts.announcements.groupHelp },
      'radios',
    ),
    types: choicesField(ids, () => types.map(({ id, name }) => ({ value: id, label: name })), {
      label: texts => texts.announcements.types,
      help: texts => texts.announcements.typesHelp,
    }),
    subject: textField(mailTextFields.subject, { label: texts => texts.announcements.subject }),
    body: textField(mailTextFields.body, {
      label: texts => texts.announcements.body,
      help: texts => texts.messages.bodyHelp,
      control: { kind: 'area', rows: 12 },
    }),
  }
  // Where there is nothing to choose, the field is not there, and its value is undefined.
  const offersDates = chosen.length > 1 ? { dates } : {}
  return { ...offersDates, ...fields } as typeof fields & { dates: typeof dates }
}

type Values = Omit<ValuesOf<ReturnType<typeof fieldsOf>>, 'dates'> & { dates: DateChoice | undefined }

function inputOf({ group, types, dates, subject, body }: Values): announcements.AnnouncementInput {
  const ofSeries = dates === undefined || dates === 'this' ? {} : { dates }
  return { subject, body, audience: { group, types: isOfTickets(group) ? types : [], ...ofSeries } }
}

/** @param address the address of the form */
function formOf({ content }: Loaded, { user, voice }: EventRequest, { typed }: FormState, address: string) {
  const { announcements: texts, messages } = voice.texts
  const text = { subject: typed.subject?.[0] ?? '', body: typed.body?.[0] ?? '' }
  return {
    submit: texts.saveDraft,
    other: { action: `${address}/preview#preview`, text: messages.preview },
    more: <Placeholders names={placeholders} values={content.values} voice={voice} />,
    preview: text.body.trim() !== '' && (
      <LetterCard content={content} text={text} about={texts.previewOf(user.name)} texts={voice.texts} />
    ),
  }
}

export const newAnnouncement = formPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/messages/announcements/new',
  keepsTyped: true,
  load,
  fields: fieldsOf,
  initial: () => ({ group: 'confirmed', dates: 'this' }) as const,
  parts: (loaded, request, state) => {
    const { newTitle: title, title: crumbs } = request.voice.texts.announcements
    const leave = paths.announcements(request.event.id)
    return {
      title,
      crumbs,
      leave,
      ...formOf(loaded, request, state, paths.newAnnouncement(request.event.id)),
    }
  },
  act: (tx, request, { values }) =>
    announcements.create(tx, request.event.id, inputOf(values), actorOf(request).who),
  entry: ({ event }) => ({
    action: 'announcement.create',
    targetType: 'announcement',
    targetOf: ({ id }) => id,
    details: () => ({ event_id: event.id }),
  }),
  next: ({ id }, { event }) => ({
    path: paths.announcement(event.id, id),
    flash: flash('announcementSaved', {}),
  }),
})

export const editAnnouncement = formPage('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/edit`,
  keepsTyped: true,
  load: async (tx, request): Promise<Loaded & { draft: Announcement }> => ({
    ...(await load(tx, request)),
    draft: await findDraft(tx, request),
  }),
  fields: fieldsOf,
  current: ({ draft: { subject, body, audience }, types, dates }) => ({
    // Dates that are no longer offered are no longer chosen: the event has left its series, or has no start any more.
    ...{ subject, body, group: audience.group, dates: dates.find(each => each === audience.dates) ?? 'this' },
    // A deleted ticket type is no longer chosen.
    types: types.map(({ id }) => id).filter(id => audience.types.includes(id)),
  }),
  parts: (loaded, request, state) => {
    const { draft } = loaded
    const address = (what?: 'edit') => paths.announcement(request.event.id, draft.id, what)
    return {
      title: request.voice.texts.announcements.editTitle,
      crumbs: <ToAnnouncement request={request} announcement={draft} />,
      leave: address(),
      ...formOf(loaded, request, state, address('edit')),
    }
  },
  act: (tx, { event }, { values, loaded: { draft } }) =>
    announcements.update(tx, event.id, draft.id, inputOf(values)),
  entry: ({ params }) => ({
    action: 'announcement.update',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: ({ id }, { event }) => ({
    path: paths.announcement(event.id, id),
    flash: flash('announcementSaved', {}),
  }),
})

/** Declares a page that shows a form as it is typed, with the mail as people would read it. It saves nothing. */
function preview(
  page: PageAt<'event'>,
  findBack: (tx: ReadTx, request: EventRequest) => Promise<string>,
): PageAt<'event'> {
  return {
    ...OF_MESSAGES,
    path: `${page.path}/preview`,
    level: 'event',
    get: async (services, context, request) =>
      goTo(services, context, {
        path: await services.db.read(request.account.id, tx => findBack(tx, request)),
      }),
    post: async (services, context, request) =>
      page.restore?.(services, context, request, context.state.body),
    ...(page.restore && { restore: page.restore }),
  }
}

export const previewNewAnnouncement = preview(newAnnouncement, async (_, { event }) =>
  paths.newAnnouncement(event.id),
)
export const previewAnnouncement = preview(editAnnouncement, async (tx, request) =>
  paths.announcement(request.event.id, (await findDraft(tx, request)).id, 'edit'),
)
