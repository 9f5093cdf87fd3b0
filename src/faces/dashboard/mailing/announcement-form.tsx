import { contentOf } from '../../announcements/mail.ts'
import * as announcements from '../../announcements/rules.ts'
import { type Announcement, groups, placeholders } from '../../announcements/schemas.ts'
import type { ReadTx } from '../../db/port.ts'
import type { Content } from '../../emails/kind.ts'
import { mailTextFields } from '../../emails/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { choiceField, choicesField, textField } from '../../web/forms/field.ts'
import type { FormState, ValuesOf } from '../../web/forms/form.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { ANNOUNCEMENT_PATH, findDraft, ToAnnouncement } from '../announcement-parts.tsx'
import { actorOf, type OfEvent } from '../asked.ts'
import { goTo } from '../destination.ts'
import { formPage } from '../form-page.ts'
import { LetterCard, OF_MESSAGES } from '../message-parts.tsx'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { Placeholders } from './message-texts.tsx'

interface Loaded {
  types: readonly TypeDetails[]
  /** What fills in a text that is shown. */
  content: Content
}

async function load(tx: ReadTx, { account, event, user }: OfEvent): Promise<Loaded> {
  return {
    types: await registrationTypes.listDetails(tx, account.id, event.id),
    content: await contentOf(tx, account.id, event.id, { subject: '', body: '' }, user.name),
  }
}

function fieldsOf({ types }: Loaded) {
  const ids = types.map(({ id }) => id)
  return {
    group: choiceField(
      groups,
      texts => groups.map(value => ({ value, label: texts.announcements.groups[value] })),
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
}

type Values = ValuesOf<ReturnType<typeof fieldsOf>>

function inputOf({ group, types, subject, body }: Values): announcements.AnnouncementInput {
  return { subject, body, audience: { group, types } }
}

interface ShownProps {
  loaded: Loaded
  asked: OfEvent
  state: FormState
  action: string
  leave: string
}

function AnnouncementForm({ loaded, asked, state, action, leave }: ShownProps) {
  const { user, voice } = asked
  const { texts } = voice
  const typed = { subject: state.typed.subject?.[0] ?? '', body: state.typed.body?.[0] ?? '' }
  return (
    <>
      <Form
        state={state}
        texts={texts}
        action={action}
        submit={texts.announcements.saveDraft}
        leave={leave}
        other={{ action: `${action}/preview`, text: texts.messages.preview }}
      >
        <FieldRows state={state} texts={texts} />
        <Placeholders names={placeholders} values={loaded.content.values} voice={voice} />
      </Form>
      {typed.body.trim() !== '' && (
        <LetterCard
          content={loaded.content}
          text={typed}
          about={texts.announcements.previewOf(user.name)}
          texts={texts}
        />
      )}
    </>
  )
}

export const newAnnouncement = formPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/messages/announcements/new',
  load,
  fields: fieldsOf,
  initial: () => ({ group: 'confirmed' }) as const,
  view: (loaded, asked, state) => {
    const { announcements: texts } = asked.voice.texts
    const leave = paths.announcements(asked.event.id)
    const form = { loaded, asked, state, leave, action: paths.newAnnouncement(asked.event.id) }
    return {
      title: texts.newTitle,
      body: (
        <div class="stack">
          <Head title={texts.newTitle} crumbs={<a href={leave}>{texts.title}</a>} />
          <AnnouncementForm {...form} />
        </div>
      ),
    }
  },
  act: (tx, asked, { values }) =>
    announcements.create(tx, asked.account.id, asked.event.id, inputOf(values), actorOf(asked).who),
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
  load: async (tx, asked): Promise<Loaded & { draft: Announcement }> => ({
    ...(await load(tx, asked)),
    draft: await findDraft(tx, asked),
  }),
  fields: fieldsOf,
  current: ({ draft: { subject, body, audience }, types }): Values => ({
    ...{ subject, body, group: audience.group },
    // A type that is gone is chosen no longer.
    types: types.map(({ id }) => id).filter(id => audience.types.includes(id)),
  }),
  view: (loaded, asked, state) => {
    const { event, voice } = asked
    const { announcements: texts } = voice.texts
    const leave = paths.announcement(event.id, loaded.draft.id)
    const form = {
      loaded,
      asked,
      state,
      leave,
      action: paths.announcement(event.id, loaded.draft.id, 'edit'),
    }
    return {
      title: texts.editTitle,
      body: (
        <div class="stack">
          <Head
            title={texts.editTitle}
            crumbs={<ToAnnouncement asked={asked} announcement={loaded.draft} />}
          />
          <AnnouncementForm {...form} />
        </div>
      ),
    }
  },
  act: (tx, { account, event }, { values, loaded: { draft } }) =>
    announcements.update(tx, account.id, event.id, draft.id, inputOf(values)),
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

/** Shows a form as it is typed, with the mail as people would read it. Nothing is saved. */
function preview(
  page: PageAt<'event'>,
  findBack: (tx: ReadTx, asked: OfEvent) => Promise<string>,
): PageAt<'event'> {
  return {
    ...OF_MESSAGES,
    path: `${page.path}/preview`,
    level: 'event',
    get: async (services, context, asked) =>
      goTo(services, context, { path: await services.db.read(tx => findBack(tx, asked)) }),
    post: async (services, context, asked) => page.restore?.(services, context, asked, context.state.body),
    ...(page.restore && { restore: page.restore }),
  }
}

export const previewNewAnnouncement = preview(newAnnouncement, async (_, { event }) =>
  paths.newAnnouncement(event.id),
)
export const previewAnnouncement = preview(editAnnouncement, async (tx, asked) =>
  paths.announcement(asked.event.id, (await findDraft(tx, asked)).id, 'edit'),
)
