import type { ComponentChildren } from 'preact'
import { Problem } from '#base/problem.ts'
import type { Clock } from '#base/time.ts'
import type { Database, ReadTx } from '#machinery/db/port.ts'
import type { AddressLimit } from '#machinery/http/address-limit.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context, Face, Stage, State } from '#machinery/http/face.ts'
import { applyAllowance, RateLimiter } from '#machinery/http/rate-limit.ts'
import * as emails from '#machinery/mail/rules.ts'
import { answerPage } from '#machinery/web/answer-page.ts'
import { Document } from '#machinery/web/document.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import {
  readUnsubscribe,
  type Subscription,
  UNSUBSCRIBE_PATH,
} from '#product/mailing/announcements/unsubscribe-link.ts'
import { textsIn } from '#texts/catalogue.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { chooseLanguage, type Language } from '#texts/languages.ts'

/** The link of one person allows this many requests a minute. */
const OF_LINK = 60
const KEPT_LINKS = 10_000

export interface UnsubscribeOptions {
  db: Database
  clock: Clock
  /** The secret of the instance. */
  secret: string
  /** Counts requests whose address this server did not sign. */
  addresses: AddressLimit
}

/**
 * Ends announcements by the link of a mail, without a cookie or a session (RFC 8058). A mail program posts to the link at once. A
 * person is asked by a page first, because programs also open links to look at them. The face knows a person only by what this
 * server has signed, so that it reveals nothing about who exists.
 */
export function unsubscribeFace(options: UnsubscribeOptions): Face<State> {
  const path = '/{token}'
  const visits = { ...options, links: new RateLimiter(options.clock, KEPT_LINKS) }
  return {
    path: UNSUBSCRIBE_PATH,
    isForPeople: true,
    routes: [
      { method: 'GET', path, stages: [show(visits)] },
      { method: 'POST', path, stages: [end(visits)] },
    ],
    answerProblem,
  }
}

interface Visits extends UnsubscribeOptions {
  links: RateLimiter
}

function show(options: Visits): Stage {
  return async context => {
    const { accountId, email } = read(context, options)
    const found = await options.db.read(accountId, async tx => ({
      organizer: await findOrganizer(tx),
      isEnded: await emails.isUnsubscribed(tx, email),
    }))
    await answer(context, { ...found, email })
  }
}

/** The body does not matter: `List-Unsubscribe=One-Click` from a program and an empty form from a person mean the same. */
function end(options: Visits): Stage {
  return async context => {
    const { accountId, email } = read(context, options)
    const { db } = options
    const { organizer, isEnded } = await db.read(accountId, async tx => ({
      organizer: await findOrganizer(tx),
      isEnded: await emails.isUnsubscribed(tx, email),
    }))
    if (!isEnded) await db.write(accountId, tx => emails.unsubscribe(tx, email))
    await answer(context, { organizer, email, isEnded: true })
  }
}

/**
 * A link that this server signed counts for its person and not for the client's address, because the server of one mail provider
 * posts for many people.
 *
 * @throws Problem not_found; rate_limited
 */
function read(context: Context, { secret, addresses, links }: Visits): Subscription {
  const [token = ''] = (context as Context & { captures: string[] }).captures
  const subscription = readUnsubscribe(secret, token)
  if (subscription !== undefined) {
    applyAllowance(context, links.take(`${subscription.accountId} ${subscription.email}`, OF_LINK))
    return subscription
  }
  addresses.apply(context)
  throw new Problem('not_found')
}

/** @throws Problem not_found */
async function findOrganizer(tx: ReadTx): Promise<string> {
  return (await accounts.get(tx)).name
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
      <p class="quiet">{isUnknown ? texts.unsubscribe.unknownAbout : describeProblem(texts, problem)}</p>
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
