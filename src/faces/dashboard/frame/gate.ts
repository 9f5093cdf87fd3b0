import { INSTANCE } from '../db/port.ts'
import { addressGroup } from '../http/client-address.ts'
import { applyAllowance, RateLimiter } from '../http/rate-limit.ts'
import { Problem } from '../problem.ts'
import { MINUTE } from '../time.ts'
import * as users from '../users/rules.ts'
import * as sessions from '../users/sessions.ts'
import { readFormBody } from '../web/form-body.ts'
import { chooseLanguage } from '../web/texts/languages.ts'
import { admit, voiceOf } from './admission.ts'
import type { Asked, Carried, Level, Levels, OfUser, Services } from './asked.ts'
import type { Context } from './context.ts'
import type { NavigationPage } from './declaration.ts'
import { goTo } from './destination.ts'
import { navigationOf } from './navigation.ts'
import type { Handler, Page, PageAt } from './page.ts'
import { askToSignIn } from './pages/sign-in.tsx'
import { DASHBOARD_PATH } from './paths.ts'
import { SESSION_COOKIE } from './session-cookie.ts'

/** Requests a minute of one person: pages that look for themselves every few seconds, in several tabs. */
const PERSON_LIMIT = 600
const KEPT_PEOPLE = 10_000
/** Of the name of a browser. */
const MAX_BROWSER = 200

/** Finds out who asks for a page and what it is about, and lets in whoever may see it. */
export class Gate {
  readonly #services: Services
  readonly #pages: readonly Page[]
  readonly #navigation: readonly NavigationPage[]
  readonly #ofPeople: RateLimiter

  constructor(services: Services, pages: readonly Page[]) {
    this.#services = services
    this.#pages = pages
    this.#navigation = navigationOf(pages)
    this.#ofPeople = new RateLimiter(services.clock, KEPT_PEOPLE)
  }

  /** @throws Problem */
  async enter(context: Context, page: Page, handle: Handler<Level>): Promise<void> {
    const services = this.#services
    const asked = this.#read(context, paramsOf(page, context.captures))
    const token = services.cookies.read(context.req, SESSION_COOKIE)
    let asker = await this.#findAsker(context, asked, token)
    if (asker !== undefined && !isLive(context)) this.#markUsed(asker)
    if (asker === undefined) services.addresses.apply(context)
    else applyAllowance(context, this.#ofPeople.take(asker.user.id, PERSON_LIMIT))
    const { memory } = services
    const holding = memory.open(context.res, asker?.user.id, addressGroup(asked.address))
    context.state.holding = holding
    if (context.method === 'POST') {
      context.state.body = page.takesFile
        ? new URLSearchParams()
        : await readFormBody(context.req, bytes => holding.keep('body', bytes))
      // A body may come as slowly as its sender likes: who was signed out or removed meanwhile is so now.
      asker = await this.#findAsker(context, asked, token)
    }
    if (page.level === 'public') return handle(services, context, asker ?? asked)
    if (asker === undefined) return askToSignIn(services, context, asked, page)
    const about = await services.db.read(tx => admit(tx, page, asker))
    context.state.voice = about.voice
    context.state.admitAgain = async () => {
      const still = await this.#findAsker(context, { ...asked }, token)
      if (still === undefined) throw new Problem('signed_out')
      await services.db.read(tx => admit(tx, page, still))
    }
    await handle(services, context, about as Levels[Level])
  }

  #read(context: Context, params: Asked['params']): Asked {
    const voice = voiceOf(chooseLanguage(context.acceptsLanguages.bind(context)), 'UTC')
    context.state.voice = voice
    return {
      params,
      path: context.path,
      query: new URLSearchParams(context.querystring),
      requestId: context.state.requestId,
      address: this.#services.clientAddress(context.req),
      browser: context.get('User-Agent').slice(0, MAX_BROWSER) || null,
      voice,
      flash: isLive(context) || context.method !== 'GET' ? undefined : this.#services.flashes.take(context),
      navigation: this.#navigation,
      resume: (...resumed) => this.#resume(...resumed),
    }
  }

  /** Who asks, by the cookie of their session; undefined for somebody who is not signed in. */
  async #findAsker(context: Context, asked: Asked, token: string | undefined): Promise<OfUser | undefined> {
    const { db, clock } = this.#services
    if (token === undefined) return undefined
    const found = await db.read(async tx => {
      const session = await sessions.authenticate(tx, token, clock())
      if (session === undefined) return undefined
      return { session, memberships: await users.listMemberships(tx, session.user.id) }
    })
    if (found === undefined) return undefined
    const { session, memberships } = found
    context.state.asker = { user_id: session.user.id }
    const voice = voiceOf(session.user.language, 'UTC')
    context.state.voice = voice
    const { user, sessionId, lastUsedAt } = session
    return { ...asked, voice, user, sessionId, lastUsedAt, memberships }
  }

  /** The asker is somebody who has this very moment signed in: what they are refused otherwise, they are refused here. */
  async #resume(context: Context, token: string, { to, body }: Carried): Promise<void> {
    const [path = '', query = ''] = to.split('?')
    for (const page of this.#pages) {
      const captures = page.restore === undefined ? null : patternOf(page).exec(path)
      if (captures === null) continue
      const asker = await this.#findAsker(
        context,
        {
          ...this.#read(context, paramsOf(page, captures.slice(1))),
          path,
          query: new URLSearchParams(query),
        },
        token,
      )
      if (asker === undefined) break
      const about = await this.#services.db.read(tx => admit(tx, page, asker))
      const restore = page.restore as NonNullable<PageAt<Level>['restore']>
      return restore(this.#services, context, about as Levels[Level], new URLSearchParams(body))
    }
    goTo(this.#services, context, { path: to })
  }

  /** At most once a minute; the request does not wait for it. */
  #markUsed({ sessionId, lastUsedAt }: OfUser): void {
    const { db, clock, log } = this.#services
    const now = clock()
    // A last use in the future comes from a clock that was ahead.
    if (Math.abs(now - lastUsedAt) < MINUTE) return
    db.write(INSTANCE, tx => sessions.markUsed(tx, sessionId, now)).catch(error =>
      log.warn({ err: error }, 'the last use of a session could not be recorded'),
    )
  }
}

/** Of a page that renews a part of itself: it tells of nothing that has happened, and prolongs no session. */
function isLive(context: Context): boolean {
  return context.get('X-Live') !== ''
}

function paramsOf({ path }: Page, captures: readonly (string | undefined)[]): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  return Object.fromEntries(names.map((name, at) => [name, captures[at] ?? '']))
}

function patternOf({ path }: Page): RegExp {
  return new RegExp(`^${DASHBOARD_PATH}${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
}
