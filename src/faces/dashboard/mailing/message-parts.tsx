import type { AccountRequest, EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { findHold } from '#machinery/db/instance.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailText, OwnText } from '#machinery/mail/kind.ts'
import type { MailState } from '#machinery/mail/loop.ts'
import { type Email, NOT_MADE, NOT_NEEDED } from '#machinery/mail/schemas.ts'
import { FilledMarkdown, fill } from '#machinery/web/components/markdown.tsx'
import { Banner, Facts, Pill, Tabs } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { Texts } from '#texts/texts.ts'

/** The permission to see the mails of an event and to write to its people. */
export const OF_MESSAGES = { permission: 'messages' } as const

/** The most characters of a text that is shown before it is saved. */
export const MAX_PREVIEWED = 20_000

/** Where mails are shown: those of an event, or those about no event if `eventId` is null. */
export interface MailPlace {
  eventId: string | null
  list: string
  mail: (id: string, what?: 'html' | 'retry') => string
}

export function placeOfMails(request: AccountRequest | EventRequest): MailPlace {
  if ('event' in request) {
    const { id } = request.event
    return { eventId: id, list: paths.messages(id), mail: (...of) => paths.message(id, ...of) }
  }
  const { id } = request.account
  return { eventId: null, list: paths.accountMessages(id), mail: (...of) => paths.accountMessage(id, ...of) }
}

/** Shows the sections below Messages of an event. */
export function MessageSections({
  request,
  at,
}: {
  request: EventRequest
  at: 'log' | 'texts' | 'announcements'
}) {
  const { event, voice } = request
  const { messages: texts } = voice.texts
  const sections = [
    ['log', paths.messages(event.id)],
    ['announcements', paths.announcements(event.id)],
    ['texts', paths.messageTexts(event.id)],
  ] as const
  const tabs = sections.map(([name, href]) => ({ href, text: texts[name], isCurrent: name === at }))
  return <Tabs label={texts.sections} tabs={tabs} />
}

export function MailStatus({ status, texts }: { status: Email['status']; texts: Texts }) {
  const tones: Readonly<Record<Email['status'], Tone | 'off'>> = {
    waiting: 'warn',
    sent: 'good',
    failed: 'bad',
    withdrawn: 'off',
  }
  return <Pill tone={tones[status]}>{texts.messages.status[status]}</Pill>
}

/** Returns the name of a kind of mail. A kind of an older program has no text and keeps its own name. */
export function nameOfKind(kind: string, { messages }: Texts): string {
  return messages.kinds[kind] ?? kind
}

/** What tells a text of a mail from those of other kinds and languages. */
export type NameOfText = Pick<OwnText, 'kind' | 'language'>

/** Returns the name of a text: the kind of mail that has it, and its language. */
export function nameOfText({ kind, language }: NameOfText, texts: Texts): string {
  return texts.messages.editText(nameOfKind(kind, texts), texts.messages.languages[language])
}

/** Returns the name of a text in addresses: `abstract_accepted.en`. */
export function idOfText({ kind, language }: NameOfText): string {
  return `${kind}.${language}`
}

/** Returns what became of a mail, in words. */
export function describeAnswer(
  { status, answer, attempts }: Email,
  { messages: { answers } }: Pick<Texts, 'messages'>,
): string {
  if (status === 'sent') return answers.sent
  if (status === 'withdrawn' || answer === NOT_NEEDED) return answers.notNeeded
  if (answer === NOT_MADE) return answers.notMade
  if (status === 'waiting') return attempts === 0 ? answers.unasked : answers.putOff
  return answers[reasonOf(answer ?? '')]
}

/** Reads the reason from the code of the answer (RFC 5321, section 4.2) and from the enhanced code (RFC 3463) if there is one. */
function reasonOf(answer: string): keyof Texts['messages']['answers'] {
  const [, code = ''] = /^(\d{3})\b/.exec(answer) ?? []
  const [, subject = '', detail = ''] = /\b[245]\.(\d{1,3})\.(\d{1,3})\b/.exec(answer) ?? []
  if (code.startsWith('4')) return 'givenUp'
  if (subject === '1') return ['1', '6', '10'].includes(detail) ? 'noMailbox' : 'badAddress'
  if (subject === '2') return detail === '2' ? 'full' : detail === '3' ? 'tooLarge' : 'failed'
  if (`${subject}.${detail}` === '3.4') return 'tooLarge'
  if (subject === '7') return 'refused'
  if (code === '552') return 'full'
  return code === '553' || code === '501' ? 'badAddress' : 'failed'
}

/** Returns whether a mail server gave the answer, and not this program. */
export function isOfServer(answer: string | null): answer is string {
  return answer !== null && answer !== '' && answer !== NOT_NEEDED && answer !== NOT_MADE
}

/** What keeps all mails from being sent. */
export interface MailStop {
  isSetUp: boolean
  isOnHold: boolean
  trouble: MailState['trouble']
}

export async function findMailStop(tx: ReadTx, { mail }: Services): Promise<MailStop> {
  const isOnHold = (await findHold(tx)) !== null
  return { isSetUp: mail.isSetUp, isOnHold, trouble: mail.state()?.trouble }
}

export function MailStopBanner({ stop, voice }: { stop: MailStop; voice: Voice }) {
  const { texts, format } = voice
  const { isSetUp, isOnHold, trouble } = stop
  const why = !isSetUp
    ? texts.messages.off
    : isOnHold
      ? texts.messages.onHold
      : trouble && texts.messages.trouble(format.dateTime(trouble.since), trouble.answer)
  if (why === undefined) return null
  return (
    <Banner tone="warn">
      <p>
        <bdi>{why}</bdi>
      </p>
    </Banner>
  )
}

interface LetterCardProps {
  content: Content
  text: MailText
  /** Says what fills in the text. */
  about: string
  texts: Texts
}

/** Shows a text as its reader sees it, on a page of the dashboard. */
export function LetterCard({ content, text, about, texts }: LetterCardProps) {
  const { from, replyTo, values, button } = content
  const { messages } = texts
  const body = text.body.slice(0, MAX_PREVIEWED)
  return (
    <section class="card stack" aria-labelledby="preview">
      <h2 id="preview">{messages.preview}</h2>
      <p class="quiet">{about}</p>
      <Facts
        facts={[
          [messages.from, <bdi key="from">{from}</bdi>],
          ...(replyTo === undefined ? [] : [[messages.replyTo, <bdi key="reply">{replyTo}</bdi>] as const]),
          [messages.subject, <bdi key="subject">{fill(text.subject, values)}</bdi>],
        ]}
      />
      <FilledMarkdown text={body} values={values} />
      {button !== undefined && <p class="quiet">[{button.label}]</p>}
    </section>
  )
}
