import { Problem } from '#base/problem.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { readExample } from '#machinery/mail/compose.ts'
import type { Content, MailKind, MailText } from '#machinery/mail/kind.ts'
import * as ownTexts from '#machinery/mail/own-texts.ts'
import { mailTextFields } from '#machinery/mail/schemas.ts'
import { ButtonLink, Facts } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { textField } from '#machinery/web/forms/field.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { isOnlineOnly } from '#product/catalog/events/date-place.ts'
import { languages } from '#texts/languages.ts'
import { idOfText, LetterCard, type NameOfText, nameOfText, OF_MESSAGES } from './message-parts.tsx'

const PATH = '/e/{event}/messages/texts/{text}'

interface Loaded extends NameOfText {
  mailKind: MailKind
  /** The text as mails have it now. */
  text: MailText
  isOwn: boolean
  example: { content: Content; isReal: boolean }
}

/** @throws Problem not_found */
async function load(tx: ReadTx, request: EventRequest, { mail }: Services): Promise<Loaded> {
  const { account, event, params } = request
  const [name, code, ...more] = (params.text ?? '').split('.')
  const mailKind = mail.letters.kinds.find(each => each.isOfEvent && each.name === name)
  const language = languages.find(each => each === code)
  if (mailKind === undefined || language === undefined || more.length > 0) throw new Problem('not_found')
  const of = { kind: mailKind.name, language }
  const own = await ownTexts.findOwn(tx, event.id, of)
  const from = { from: account.name, replyTo: account.email }
  return {
    ...of,
    mailKind,
    text: own ?? ownTexts.standardText(mailKind.name, language, isOnlineOnly(event)),
    isOwn: own !== undefined,
    example: await readExample(tx, mailKind, { eventId: event.id, language }, from),
  }
}

const fields = {
  subject: textField(mailTextFields.subject, { label: texts => texts.messages.subject }),
  body: textField(mailTextFields.body, {
    label: texts => texts.messages.body,
    help: texts => texts.messages.bodyHelp,
    control: { kind: 'area', rows: 14 },
  }),
}

export const messageText = formPage('event', {
  ...OF_MESSAGES,
  path: PATH,
  keepsTyped: true,
  load,
  fields: () => fields,
  current: ({ text: { subject, body } }) => ({ subject, body }),
  parts: (loaded, { event, voice }, { typed }) => {
    const { texts } = voice
    const { messages: labels } = texts
    const { content, isReal } = loaded.example
    const address = (what: 'ours' | 'preview') => paths.messageText(event.id, idOfText(loaded), what)
    return {
      ...{ title: nameOfText(loaded, texts), crumbs: labels.texts, leave: paths.messageTexts(event.id) },
      actions: loaded.isOwn && (
        <ButtonLink href={address('ours')} isDestructive>
          {labels.toOurs}
        </ButtonLink>
      ),
      submit: texts.page.save,
      other: { action: `${address('preview')}#preview`, text: labels.preview },
      more: <Placeholders names={loaded.mailKind.placeholders} values={content.values} voice={voice} />,
      preview: (
        <LetterCard
          content={content}
          text={{ subject: typed.subject?.[0] ?? '', body: typed.body?.[0] ?? '' }}
          about={isReal ? labels.previewReal : labels.previewExample}
          texts={texts}
        />
      ),
    }
  },
  act: async (tx, { event }, { values, changes, loaded }) => {
    if (Object.keys(changes).length === 0) return
    const { mailKind, language } = loaded
    await ownTexts.setOwn(tx, event.id, mailKind, { ...values, language })
  },
  entry: ({ event, params }, changed) => ({
    action: 'email_text.update',
    targetType: 'event',
    targetId: event.id,
    details: () => ({ text: params.text, changed: changed() }),
  }),
  next: (_, { event, params }) => ({
    path: paths.messageText(event.id, params.text ?? ''),
    flash: flash('textSaved', {}),
  }),
})

/** Shows the form as it is typed, with the mail as people would read it. It saves nothing. */
export const previewMessageText: PageAt<'event'> = {
  ...OF_MESSAGES,
  path: `${PATH}/preview`,
  level: 'event',
  get: async (services, context, { event, params }) =>
    goTo(services, context, { path: paths.messageText(event.id, params.text ?? '') }),
  post: async (services, context, request) =>
    messageText.restore?.(services, context, request, context.state.body),
  ...(messageText.restore && { restore: messageText.restore }),
}

interface PlaceholdersProps {
  names: readonly string[]
  /** The values that replace the placeholders in the preview. */
  values: Readonly<Record<string, string>>
  voice: Voice
}

/** Lists the placeholders that a text may use. */
export function Placeholders({ names, values, voice }: PlaceholdersProps) {
  const { messages } = voice.texts
  return (
    <section class="card stack" aria-labelledby="placeholders">
      <h2 id="placeholders">{messages.placeholdersTitle}</h2>
      <p class="quiet">{messages.placeholdersAbout}</p>
      <Facts
        facts={names.map(name => [
          `{${name}}`,
          <>
            {messages.placeholders[name]?.about}
            {values[name] ? <bdi class="small quiet"> ({messages.placeholder(values[name])})</bdi> : null}
          </>,
        ])}
      />
    </section>
  )
}

/** Asks whether to return to the standard text. */
export const ourMessageText = formPage('event', {
  ...OF_MESSAGES,
  path: `${PATH}/ours`,
  load: async (tx, request, services) => {
    const loaded = await load(tx, request, services)
    if (!loaded.isOwn) throw new Problem('not_found')
    return loaded
  },
  fields: () => ({}),
  parts: (loaded, { event, voice: { texts } }) => {
    const { messages: labels } = texts
    const name = nameOfText(loaded, texts)
    return {
      ...{
        title: labels.toOursTitle(name),
        crumbs: name,
        submit: labels.toOursSubmit,
        isDanger: true,
        keeps: 'text',
      },
      leave: paths.messageText(event.id, idOfText(loaded)),
      ...{ isOnCard: true, above: <p>{labels.toOursWill}</p> },
      rest: (
        <LetterCard
          content={loaded.example.content}
          text={ownTexts.standardText(loaded.kind, loaded.language, isOnlineOnly(event))}
          about={labels.ours}
          texts={texts}
        />
      ),
    }
  },
  act: (tx, { event }, { loaded }) => ownTexts.removeOwn(tx, event.id, loaded),
  entry: ({ event, params }) => ({
    action: 'email_text.remove',
    targetType: 'event',
    targetId: event.id,
    details: () => ({ text: params.text }),
  }),
  next: (_, { event }) => ({ path: paths.messageTexts(event.id), flash: flash('textOurs', {}) }),
})
