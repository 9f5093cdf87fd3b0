import type { ComponentChildren } from 'preact'
import * as accounts from '../accounts/rules.ts'
import { readUnsubscribe, type Subscription, UNSUBSCRIBE_PATH } from '../announcements/unsubscribe-link.ts'
import type { Database, ReadTx } from '../db/port.ts'
import * as emails from '../emails/rules.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import { statusOf } from '../http/errors.ts'
import type { Context, Face, Stage, State } from '../http/face.ts'
import { Problem } from '../problem.ts'
import { answerPage } from '../web/answer-page.ts'
import { Document } from '../web/document.tsx'
import { textsIn } from '../web/texts/catalogue.ts'
import { chooseLanguage, type Language } from '../web/texts/languages.ts'
import { tellProblem } from '../web/texts/tell-problem.ts'

export interface UnsubscribeOptions {
  db: Database
  /** Of the instance. */
  secret: string
  /** Counts requests with an address that was not made here. */
  addresses: AddressLimit
}

/**
 * Ends announcements by the link of a mail, without a cookie or a session (RFC 8058): programs post to it at once, people are
 * asked by a page, as programs also open links to look at them. It knows nobody but by what it has signed itself, so that it
 * tells nothing of who there is.
 */
export function unsubscribeFace(options: UnsubscribeOptions): Face<State> {
  const path = '/{token}'
  return {
    path: UNSUBSCRIBE_PATH,
    routes: [
      { method: 'GET', path, stages: [show(options)] },
      { method: 'POST', path, stages: [end(options)] },
    ],
    answerProblem,
  }
}

function show(options: UnsubscribeOptions): Stage {
  return async context => {
    const { accountId, email } = read(context, options)
    const found = await options.db.read(async tx => ({
      organizer: await findOrganizer(tx, accountId),
      isEnded: await emails.isUnsubscribed(tx, accountId, email),
    }))
    await answer(context, { ...found, email })
  }
}

/** The body is not looked at: `List-Unsubscribe=One-Click` of a program, and nothing of a person, say the same. */
function end(options: UnsubscribeOptions): Stage {
  return async context => {
    const { accountId, email } = read(context, options)
    const { db } = options
    const { organizer, isEnded } = await db.read(async tx => ({
      organizer: await findOrganizer(tx, accountId),
      isEnded: await emails.isUnsubscribed(tx, accountId, email),
    }))
    if (!isEnded) await db.write(accountId, tx => emails.unsubscribe(tx, accountId, email))
    await answer(context, { organizer, email, isEnded: true })
  }
}

/** What was signed here has no limit: the server of one provider posts for many people. @throws Problem not_found; rate_limited */
function read(context: Context, { secret, addresses }: UnsubscribeOptions): Subscription {
  const [token = ''] = (context as Context & { captures: string[] }).captures
  const subscription = readUnsubscribe(secret, token)
  if (subscription !== undefined) return subscription
  addresses.apply(context)
  throw new Problem('not_found')
}

/** @throws Problem not_found */
async function findOrganizer(tx: ReadTx, accountId: string): Promise<string> {
  return (await accounts.get(tx, accountId)).name
}

interface Shown {
  organizer: string
  email: string
  isEnded: boolean
}

async function answer(context: Context, { organizer, email, isEnded }: Shown): Promise<void> {
  const language = chooseLanguage(context.acceptsLanguages.bind(context))
  const { unsubscribe: texts } = textsIn(language)
  await answerPage(
    context,
    200,
    <Card language={language} bar={organizer} title={isEnded ? texts.done : texts.title}>
      <p>
        <bdi>{isEnded ? texts.doneAbout(organizer) : texts.about(organizer)}</bdi>
      </p>
      <p>
        <b>
          <bdi>{email}</bdi>
        </b>
      </p>
      {isEnded ? (
        <p class="quiet">{texts.others}</p>
      ) : (
        <form method="post">
          <button type="submit" class="button main">
            {texts.submit}
          </button>
        </form>
      )}
    </Card>,
  )
}

async function answerProblem(context: Context, problem: Problem): Promise<void> {
  const language = chooseLanguage(context.acceptsLanguages.bind(context))
  const texts = textsIn(language)
  const status = statusOf(problem)
  const isUnknown = status === 404
  await answerPage(
    context,
    status,
    <Card
      language={language}
      bar={texts.page.product}
      title={isUnknown ? texts.unsubscribe.unknown : texts.problems.heading.other}
    >
      <p class="quiet">{isUnknown ? texts.unsubscribe.unknownAbout : tellProblem(texts, problem)}</p>
    </Card>,
  )
}

interface CardProps {
  language: Language
  bar: string
  title: string
  children: ComponentChildren
}

function Card({ language, bar, title, children }: CardProps) {
  return (
    <Document language={language} title={[title, bar]}>
      <header class="bar">
        <span class="event">
          <b>
            <bdi>{bar}</bdi>
          </b>
        </span>
      </header>
      <main id="content" class="narrow">
        <div class="card empty">
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </Document>
  )
}
