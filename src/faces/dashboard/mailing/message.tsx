import type { ReadTx, WriteTx } from '../../db/port.ts'
import type { Letter } from '../../emails/letter.tsx'
import * as emails from '../../emails/rules.ts'
import type { Email } from '../../emails/schemas.ts'
import { Problem } from '../../problem.ts'
import { Facts, Head, Live, Mail, PostButton, Preformatted, Time } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import type { Voice } from '../../web/voice.ts'
import type { OfAccount, OfEvent, Services } from '../asked.ts'
import { button } from '../button.ts'
import type { Context } from '../context.ts'
import {
  findHeld,
  HeldBanner,
  isOfServer,
  MailStatus,
  type MailsHeld,
  nameOfKind,
  OF_MESSAGES,
  placeOfMails,
  tellAnswer,
} from '../message-parts.tsx'
import type { PageAt, View } from '../page.ts'
import { showPage } from '../show.tsx'

/** How often one that waits is looked at again, in seconds. */
const EVERY = 3

const OF_EVENT = { ...OF_MESSAGES, path: '/e/{event}/messages/mail/{email}' }
const OF_ACCOUNT = { permission: 'account.messages', path: '/a/{account}/messages/{accountEmail}' } as const

/** A mail as it would be sent now; `nothing` where there is nothing to say any more, `broken` where it cannot be made. */
type Now = { letter: Letter; isHiding: boolean } | 'nothing' | 'broken' | undefined

interface Loaded {
  email: Email
  /** Undefined for one that has ended. */
  now: Now
  held: MailsHeld
}

function idOf({ params }: OfAccount): string {
  return params.email ?? params.accountEmail ?? ''
}

/** @throws Problem not_found, also for one of another event */
function find(tx: ReadTx, asked: OfAccount | OfEvent): Promise<Email> {
  return emails.getOf(tx, asked.account.id, placeOfMails(asked).eventId, idOf(asked))
}

async function load(tx: ReadTx, asked: OfAccount | OfEvent, services: Services): Promise<Loaded> {
  const email = await find(tx, asked)
  return { email, now: await readNow(tx, asked, email, services), held: await findHeld(tx, services) }
}

async function readNow(
  tx: ReadTx,
  { account, requestId }: OfAccount,
  { id, status }: Email,
  { mail, clock, log }: Services,
): Promise<Now> {
  if (status === 'sent' || status === 'withdrawn') return undefined
  try {
    return (await emails.preview(tx, account.id, id, mail.letters, clock())) ?? 'nothing'
  } catch (error) {
    log.warn({ err: error, request_id: requestId, email_id: id }, 'a mail could not be made to be shown')
    return 'broken'
  }
}

export const messagePage = showPage('event', { ...OF_EVENT, load, view })
export const accountMessagePage = showPage('account', { ...OF_ACCOUNT, load, view })

function view(loaded: Loaded, asked: OfAccount | OfEvent): View {
  const { email, held } = loaded
  const { voice } = asked
  const { texts } = voice
  const { list, mail } = placeOfMails(asked)
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
        {isOpen && <HeldBanner held={held} voice={voice} />}
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
          [messages.answer, tellAnswer(email, texts)],
          ...(isOfServer(answer) ? [[messages.serverSaid, <bdi key="answer">{answer}</bdi>] as const] : []),
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

/** Of a letter, which has its style in itself: nothing of it runs, asks anybody, or leads this site's pages astray. */
const LETTER_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; " +
    "frame-ancestors 'none'; sandbox allow-popups",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** The letter alone, as programs for mail show it. @throws Problem not_found where there is none to show */
async function answerLetter(services: Services, context: Context, asked: OfAccount | OfEvent): Promise<void> {
  const { db, mail, clock } = services
  const shown = await db.read(async tx => {
    const { id, status } = await find(tx, asked)
    if (status === 'sent' || status === 'withdrawn') throw new Problem('not_found')
    return emails.preview(tx, asked.account.id, id, mail.letters, clock())
  })
  if (shown === undefined) throw new Problem('not_found')
  context.set(LETTER_HEADERS)
  context.status = 200
  context.type = 'text/html; charset=utf-8'
  context.body = shown.letter.html
}

/** They are no pages of ours. */
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
  act: async (tx: WriteTx, asked: OfAccount | OfEvent) =>
    emails.retry(tx, asked.account.id, (await find(tx, asked)).id),
  entry: (asked: OfAccount) => ({ action: 'email.retry', targetType: 'email', targetId: idOf(asked) }),
  next: (_: Email, asked: OfAccount | OfEvent) => ({
    path: placeOfMails(asked).mail(idOf(asked)),
    flash: flash('mailRetried', {}),
  }),
  back: (asked: OfAccount | OfEvent) => placeOfMails(asked).mail(idOf(asked)),
}

export const retryMessage = button('event', { ...OF_EVENT, path: `${OF_EVENT.path}/retry`, ...retry })
export const retryAccountMessage = button('account', {
  ...OF_ACCOUNT,
  path: `${OF_ACCOUNT.path}/retry`,
  ...retry,
})
