import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import type { PageAt, View } from '#faces/dashboard/frame/page.ts'
import type { AccountRequest, EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Letter } from '#machinery/mail/letter.tsx'
import * as emails from '#machinery/mail/rules.ts'
import type { Email } from '#machinery/mail/schemas.ts'
import { Facts, Head, Live, Mail, PostButton, Preformatted, Time } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import {
  describeAnswer,
  findMailStop,
  isOfServer,
  MailStatus,
  type MailStop,
  MailStopBanner,
  nameOfKind,
  OF_MESSAGES,
  placeOfMails,
} from './message-parts.tsx'

/** The page looks again this often at a waiting mail, in seconds. */
const EVERY = 3

const OF_EVENT = { ...OF_MESSAGES, path: '/e/{event}/messages/mail/{email}' }
const OF_ACCOUNT = { permission: 'account.messages', path: '/a/{account}/messages/{accountEmail}' } as const

/**
 * A mail as it would be sent now. It is `nothing` if there is nothing to say any more, and `broken` if the mail cannot be made.
 */
type Now = { letter: Letter; isHiding: boolean } | 'nothing' | 'broken' | undefined

interface Loaded {
  email: Email
  /** It is undefined for a mail that was sent or withdrawn. */
  now: Now
  stop: MailStop
}

function idOf({ params }: AccountRequest): string {
  return params.email ?? params.accountEmail ?? ''
}

/** @throws Problem not_found, also for a mail of another event */
function find(tx: ReadTx, request: AccountRequest | EventRequest): Promise<Email> {
  return emails.getOf(tx, placeOfMails(request).eventId, idOf(request))
}

async function load(tx: ReadTx, request: AccountRequest | EventRequest, services: Services): Promise<Loaded> {
  const email = await find(tx, request)
  return { email, now: await readNow(tx, request, email, services), stop: await findMailStop(tx, services) }
}

async function readNow(
  tx: ReadTx,
  { requestId }: AccountRequest,
  { id, status }: Email,
  { mail, clock, log }: Services,
): Promise<Now> {
  if (status === 'sent' || status === 'withdrawn') return undefined
  try {
    return (await emails.preview(tx, id, mail.letters, clock())) ?? 'nothing'
  } catch (error) {
    log.warn({ err: error, request_id: requestId, email_id: id }, 'a mail could not be made to be shown')
    return 'broken'
  }
}

export const messagePage = showPage('event', { ...OF_EVENT, load, view })
export const accountMessagePage = showPage('account', { ...OF_ACCOUNT, load, view })

function view(loaded: Loaded, request: AccountRequest | EventRequest): View {
  const { email, stop } = loaded
  const { voice } = request
  const { texts } = voice
  const { list, mail } = placeOfMails(request)
  const title = nameOfKind(email.kind, texts)
  const isOpen = email.status === 'waiting' || email.status === 'failed'
  return {
    title,
    body: (
      <div class="stack">
        <Head
          title={title}
          crumbs={<a href={list}>{texts.messages.title}</a>}
          actions={
            isOpen && (
              <PostButton
                action={mail(email.id, 'retry')}
                tone={email.status === 'failed' ? 'main' : undefined}
              >
                {texts.messages.retry}
              </PostButton>
            )
          }
        />
        {isOpen && <MailStopBanner stop={stop} voice={voice} />}
        <Live id="mail" every={email.status === 'waiting' ? EVERY : undefined}>
          <State email={email} voice={voice} />
          <Text loaded={loaded} htmlPath={mail(email.id, 'html')} voice={voice} />
        </Live>
      </div>
    ),
  }
}

function State({ email, voice }: { email: Email; voice: Voice }) {
  const { texts, format } = voice
  const { messages } = texts
  const { recipient, status, attempts, created_at, sent_at, next_attempt_at: next, answer, language } = email
  return (
    <section class="card stack" aria-labelledby="state">
      <h2 id="state">{messages.mail}</h2>
      <Facts
        facts={[
          [messages.to, <Mail key="to" address={recipient} />],
          [messages.state, <MailStatus key="state" status={status} texts={texts} />],
          [messages.answer, describeAnswer(email, texts)],
          ...(isOfServer(answer) ? [[messages.serverAnswer, <bdi key="answer">{answer}</bdi>] as const] : []),
          [messages.attempts, format.number(attempts)],
          [messages.made, <Time key="made" at={created_at} format={format} />],
          ...(sent_at === null
            ? []
            : [[messages.sentAt, <Time key="sent" at={sent_at} format={format} />] as const]),
          ...(next === null
            ? []
            : [
                [
                  messages.next,
                  attempts === 0 ? messages.nextSoon : <Time key="next" at={next} format={format} />,
                ] as const,
              ]),
          [messages.language, messages.languages[language]],
        ]}
      />
    </section>
  )
}

function Text({ loaded, htmlPath, voice }: { loaded: Loaded; htmlPath: string; voice: Voice }) {
  const { messages } = voice.texts
  const { email, now } = loaded
  const isOver = now === undefined
  return (
    <section class="card stack" aria-labelledby="text">
      <h2 id="text">{isOver && email.body !== null ? messages.asSent : messages.asItWouldBe}</h2>
      {isOver ? (
        email.body === null ? (
          <p class="quiet">{email.status === 'withdrawn' ? messages.answers.notNeeded : messages.notKept}</p>
        ) : (
          <Letterhead subject={email.subject ?? ''} text={email.body} voice={voice} />
        )
      ) : now === 'nothing' ? (
        <p>{messages.nothingToSay}</p>
      ) : now === 'broken' ? (
        <p>{messages.cannotBeMade}</p>
      ) : (
        <>
          <p class="quiet">
            {now.isHiding && messages.secretsHidden} <a href={htmlPath}>{messages.asPage}</a>
          </p>
          <Letterhead {...now.letter} voice={voice} />
        </>
      )}
    </section>
  )
}

function Letterhead({
  from,
  replyTo,
  subject,
  text,
  attachments = [],
  voice,
}: Pick<Letter, 'subject' | 'text'> &
  Partial<Pick<Letter, 'from' | 'replyTo' | 'attachments'>> & { voice: Voice }) {
  const { messages } = voice.texts
  return (
    <>
      <Facts
        facts={[
          ...(from === undefined ? [] : [[messages.from, <bdi key="from">{from}</bdi>] as const]),
          ...(replyTo === undefined ? [] : [[messages.replyTo, <bdi key="reply">{replyTo}</bdi>] as const]),
          [messages.subject, <bdi key="subject">{subject}</bdi>],
        ]}
      />
      {attachments.length > 0 && <p class="quiet">{messages.attachments(attachments.length)}</p>}
      <Preformatted text={text} />
    </>
  )
}

/**
 * The headers of a letter, which has its style inside. Nothing in it can run, load from elsewhere or act on the pages of this
 * site.
 */
const LETTER_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; " +
    "frame-ancestors 'none'; sandbox allow-popups",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** Answers with the letter alone, as mail programs show it. @throws Problem not_found if there is no letter to show */
async function answerLetter(
  services: Services,
  context: Context,
  request: AccountRequest | EventRequest,
): Promise<void> {
  const { db, mail, clock } = services
  const shown = await db.read(request.account.id, async tx => {
    const { id, status } = await find(tx, request)
    if (status === 'sent' || status === 'withdrawn') throw new Problem('not_found')
    return emails.preview(tx, id, mail.letters, clock())
  })
  if (shown === undefined) throw new Problem('not_found')
  context.set(LETTER_HEADERS)
  context.status = 200
  context.type = 'text/html; charset=utf-8'
  context.body = shown.letter.html
}

/** A letter is not a page of the dashboard. */
const ofLetter = { isFile: true, get: answerLetter } as const
export const messageHtml: PageAt<'event'> = {
  ...OF_EVENT,
  path: `${OF_EVENT.path}/html`,
  level: 'event',
  ...ofLetter,
}
export const accountMessageHtml: PageAt<'account'> = {
  ...OF_ACCOUNT,
  path: `${OF_ACCOUNT.path}/html`,
  level: 'account',
  ...ofLetter,
}

const retry = {
  act: async (tx: WriteTx, request: AccountRequest | EventRequest) =>
    emails.retry(tx, (await find(tx, request)).id),
  entry: (request: AccountRequest) => ({
    action: 'email.retry',
    targetType: 'email',
    targetId: idOf(request),
  }),
  next: (_: Email, request: AccountRequest | EventRequest) => ({
    path: placeOfMails(request).mail(idOf(request)),
    flash: flash('mailRetried', {}),
  }),
  back: (request: AccountRequest | EventRequest) => placeOfMails(request).mail(idOf(request)),
}

export const retryMessage = button('event', { ...OF_EVENT, path: `${OF_EVENT.path}/retry`, ...retry })
export const retryAccountMessage = button('account', {
  ...OF_ACCOUNT,
  path: `${OF_ACCOUNT.path}/retry`,
  ...retry,
})
