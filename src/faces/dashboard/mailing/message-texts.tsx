import type { ReadTx } from '../../db/port.ts'
import { readExample } from '../../emails/compose.ts'
import type { Content, MailKind, MailText, OwnText } from '../../emails/kind.ts'
import * as ownTexts from '../../emails/own-texts.ts'
import { mailTextFields } from '../../emails/schemas.ts'
import { Problem } from '../../problem.ts'
import { ButtonLink, Facts, Head, Pill } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { textField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import { textsIn } from '../../web/texts/catalogue.ts'
import { languages } from '../../web/texts/languages.ts'
import type { Texts } from '../../web/texts/texts.ts'
import type { Voice } from '../../web/voice.ts'
import type { OfEvent, Services } from '../asked.ts'
import { goTo } from '../destination.ts'
import { formPage } from '../form-page.ts'
import { LetterCard, MessageSections, nameOfKind, OF_MESSAGES } from '../message-parts.tsx'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PATH = '/e/{event}/messages/texts/{text}'

interface Row extends OwnText {
  isOwn: boolean
  href: string
}

const list: List<Row> = {
  caption: texts => texts.messages.textsCaption,
  columns: [
    {
      label: texts => texts.messages.kind,
      place: 'name',
      cell: ({ href, ...of }, { texts }) => <a href={href}>{nameOfText(of, texts)}</a>,
    },
    {
      label: texts => texts.messages.subject,
      place: 'line',
      cell: ({ subject, language }) => <bdi lang={language}>{subject}</bdi>,
    },
    {
      label: texts => texts.messages.state,
      place: 'amount',
      cell: ({ isOwn }, { texts }) => (
        <Pill tone={isOwn ? 'good' : 'off'}>{isOwn ? texts.messages.own : texts.messages.ours}</Pill>
      ),
    },
  ],
}

type NameOfText = Pick<OwnText, 'kind' | 'language'>

function nameOfText({ kind, language }: NameOfText, texts: Texts): string {
  return texts.messages.editText(nameOfKind(kind, texts), texts.messages.languages[language])
}

const idOfText = ({ kind, language }: NameOfText) => `${kind}.${language}`

/** What the mails of an event say, by kind and language. */
export const messageTexts = showPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/messages/texts',
  load: async (tx, { account, event }, { mail }): Promise<Row[]> => {
    const own = await ownTexts.listOwn(tx, account.id, event.id)
    return mail.letters.kinds
      .filter(({ isOfEvent }) => isOfEvent)
      .flatMap(({ name: kind }) =>
        languages.map(language => {
          const found = own.find(each => each.kind === kind && each.language === language)
          const text = found ?? textsIn(language).mails[kind]
          const href = paths.messageText(event.id, idOfText({ kind, language }))
          return { ...text, kind, language, isOwn: found !== undefined, href }
        }),
      )
  },
  view: (rows, asked) => {
    const { texts } = asked.voice
    return {
      title: texts.messages.texts,
      body: (
        <>
          <Head title={texts.messages.texts} about={texts.messages.textsAbout} />
          <MessageSections asked={asked} at="texts" />
          <Table list={list} rows={rows} voice={asked.voice} />
        </>
      ),
    }
  },
})

interface Loaded extends NameOfText {
  mailKind: MailKind
  /** As mails say it now. */
  text: MailText
  isOwn: boolean
  example: { content: Content; isReal: boolean }
}

/** @throws Problem not_found */
async function load(tx: ReadTx, asked: OfEvent, { mail }: Services): Promise<Loaded> {
  const { account, event, params } = asked
  const [name, code, ...more] = (params.text ?? '').split('.')
  const mailKind = mail.letters.kinds.find(each => each.isOfEvent && each.name === name)
  const language = languages.find(each => each === code)
  if (mailKind === undefined || language === undefined || more.length > 0) throw new Problem('not_found')
  const of = { kind: mailKind.name, language }
  const own = await ownTexts.findOwn(tx, account.id, event.id, of)
  const from = { from: account.name, replyTo: account.email }
  return {
    ...of,
    mailKind,
    text: own ?? textsIn(language).mails[mailKind.name],
    isOwn: own !== undefined,
    example: await readExample(tx, account.id, mailKind, { eventId: event.id, language }, from),
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
  load,
  fields: () => fields,
  current: ({ text: { subject, body } }) => ({ subject, body }),
  view: (loaded, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const title = nameOfText(loaded, texts)
    const { content, isReal } = loaded.example
    const id = idOfText(loaded)
    const typed = { subject: state.typed.subject?.[0] ?? '', body: state.typed.body?.[0] ?? '' }
    return {
      title,
      body: (
        <div class="stack">
          <Head
            title={title}
            crumbs={<a href={paths.messageTexts(event.id)}>{texts.messages.texts}</a>}
            actions={
              loaded.isOwn && (
                <ButtonLink href={paths.messageText(event.id, id, 'ours')}>
                  {texts.messages.toOurs}
                </ButtonLink>
              )
            }
          />
          <Form
            state={state}
            texts={texts}
            action={paths.messageText(event.id, id)}
            submit={texts.page.save}
            leave={paths.messageTexts(event.id)}
            other={{ action: paths.messageText(event.id, id, 'preview'), text: texts.messages.preview }}
          >
            <FieldRows state={state} texts={texts} />
            <Placeholders names={loaded.mailKind.placeholders} values={content.values} voice={voice} />
          </Form>
          <LetterCard
            content={content}
            text={typed}
            about={isReal ? texts.messages.previewReal : texts.messages.previewExample}
            texts={texts}
          />
        </div>
      ),
    }
  },
  act: async (tx, { account, event }, { values, changes, loaded }) => {
    if (Object.keys(changes).length === 0) return
    const { mailKind, language } = loaded
    await ownTexts.setOwn(tx, account.id, event.id, mailKind, { ...values, language })
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

/** Shows the form as it is typed, with the mail as people would read it. Nothing is saved. */
export const previewMessageText: PageAt<'event'> = {
  ...OF_MESSAGES,
  path: `${PATH}/preview`,
  level: 'event',
  get: async (services, context, { event, params }) =>
    goTo(services, context, { path: paths.messageText(event.id, params.text ?? '') }),
  post: async (services, context, asked) =>
    messageText.restore?.(services, context, asked, context.state.body),
  ...(messageText.restore && { restore: messageText.restore }),
}

interface PlaceholdersProps {
  names: readonly string[]
  /** What stands for them in the preview. */
  values: Readonly<Record<string, string>>
  voice: Voice
}

/** What a text may name. */
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

/** Asks whether to take our text again. */
export const ourMessageText = formPage('event', {
  ...OF_MESSAGES,
  path: `${PATH}/ours`,
  load: async (tx, asked, services) => {
    const loaded = await load(tx, asked, services)
    if (!loaded.isOwn) throw new Problem('not_found')
    return loaded
  },
  fields: () => ({}),
  view: (loaded, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const back = paths.messageText(event.id, idOfText(loaded))
    const name = nameOfText(loaded, texts)
    const title = texts.messages.toOursTitle(name)
    const { content } = loaded.example
    return {
      title,
      body: (
        <div class="stack">
          <Head title={title} crumbs={<a href={back}>{name}</a>} />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={paths.messageText(event.id, idOfText(loaded), 'ours')}
              submit={texts.messages.toOursSubmit}
              leave={back}
              isDanger
            >
              <p>{texts.messages.toOursWill}</p>
            </Form>
          </div>
          <LetterCard
            content={content}
            text={textsIn(loaded.language).mails[loaded.kind]}
            about={texts.messages.ours}
            texts={texts}
          />
        </div>
      ),
    }
  },
  act: (tx, { account, event }, { loaded }) => ownTexts.removeOwn(tx, account.id, event.id, loaded),
  entry: ({ event, params }) => ({
    action: 'email_text.remove',
    targetType: 'event',
    targetId: event.id,
    details: () => ({ text: params.text }),
  }),
  next: (_, { event }) => ({ path: paths.messageTexts(event.id), flash: flash('textOurs', {}) }),
})
