import { Problem } from '#base/problem.ts'
import { MINUTE } from '#base/time.ts'
import { askToSignIn } from '#faces/dashboard/administration/sign-in.tsx'
import { INSTANCE } from '#machinery/db/port.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import { applyAllowance, RateLimiter } from '#machinery/http/rate-limit.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import * as users from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { chooseLanguage } from '#texts/languages.ts'
import { admit, findAbout, refuseUnseen, toAccount, voiceOf } from './admission.ts'
import type { Context } from './context.ts'
import type { Navigation } from './declaration.ts'
import { goTo } from './destination.ts'
import { DEVICE_COOKIE } from './device-cookie.ts'
import { readNavigation } from './navigation.ts'
import type { Handler, Page, PageAt } from './page.ts'
import type {
  AccountRequest,
  EventRequest,
  InterruptedForm,
  Level,
  Levels,
  PageRequest,
  Services,
  UserRequest,
} from './page-request.ts'
import { DASHBOARD_PATH } from './paths.ts'
import { SESSION_COOKIE } from './session-cookie.ts'
import { answerView } from './show.tsx'

/** The most requests a minute of one user. It allows several tabs with pages that refresh themselves every few seconds. */
const PERSON_LIMIT = 600
const KEPT_PEOPLE = 10_000
/** The most requests a minute of a known browser in which nobody is signed in at present. */
const DEVICE_LIMIT = 120
/** The most characters of the name of a browser. */
const MAX_BROWSER = 200

/** Finds out who asks for a page and what it is about, and admits those who may see it. */
export class Gate {
  readonly #services: Services
  readonly #pages: readonly Page[]
  readonly #navigation: Navigation
  readonly #ofPeople: RateLimiter
  readonly #ofDevices: RateLimiter

  constructor(services: Services, pages: readonly Page[]) {
    this.#services = services
    this.#pages = pages
    this.#navigation = readNavigation(pages)
    this.#ofPeople = new RateLimiter(services.clock, KEPT_PEOPLE)
    this.#ofDevices = new RateLimiter(services.clock, KEPT_PEOPLE)
  }

  /** @throws Problem */
  async enter(context: Context, page: Page, handle: Handler<Level>): Promise<void> {
    const services = this.#services
    const request = this.#read(context, paramsOf(page, context.captures))
    const token = services.cookies.read(context.req, SESSION_COOKIE)
    let asker = await this.#findAsker(context, request, token)
    if (asker !== undefined && !isLive(context)) this.#markUsed(asker)
    if (asker === undefined) this.#countVisitor(context, request)
    else applyAllowance(context, this.#ofPeople.take(asker.user.id, PERSON_LIMIT))
    const { memory } = services
    const holding = memory.open(context.res, asker?.user.id, addressGroup(request.address))
    context.state.holding = holding
    if (context.method === 'POST') {
      context.state.body = page.takesFile
        ? new URLSearchParams()
        : await readFormBody(context, bytes => holding.keep('body', bytes))
      // A sender can send a body slowly, so the gate looks again for users who were signed out or removed meanwhile.
      asker = await this.#findAsker(context, request, token)
    }
    if (page.level === 'public') return handle(services, context, asker ?? request)
    if (asker === undefined) return askToSignIn(services, context, request, page)
    const about = await this.#findAbout(context, page, asker)
    context.state.voice = about.voice
    refuseUnseen(page, about)
    context.state.admitAgain = async () => {
      const still = await this.#findAsker(context, { ...request }, token)
      if (still === undefined) throw new Problem('signed_out')
      await services.db.read(INSTANCE, tx => admit(tx, page, still))
    }
    await handle(services, context, about as Levels[Level])
  }

  /** Has the refusal of a path that no page has shown to a signed-in user in the frame of the user's pages. */
  async frameUnknown(context: Context): Promise<void> {
    const token = this.#services.cookies.read(context.req, SESSION_COOKIE)
    const asker = await this.#findAsker(context, this.#read(context, {}), token)
    if (asker !== undefined) await this.#frameNowhere(context, asker)
  }

  /** @throws Problem not_found */
  async #findAbout(
    context: Context,
    page: Page,
    asker: UserRequest,
  ): Promise<UserRequest | AccountRequest | EventRequest> {
    try {
      const about = await this.#services.db.read(INSTANCE, tx => findAbout(tx, page.level, asker))
      // The page says what it belongs to in the navigation of its level.
      frame(context, page, about)
      return about
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') await this.#frameNowhere(context, asker)
      throw error
    }
  }

  /** What is in none of the user's accounts is refused in the only one, or in none of several. */
  async #frameNowhere(context: Context, asker: UserRequest): Promise<void> {
    const [only, ...others] = asker.memberships
    if (only === undefined || others.length > 0) return frame(context, { level: 'user', path: '' }, asker)
    const about = await this.#services.db.read(INSTANCE, tx => toAccount(tx, asker, only))
    frame(context, { level: 'account', path: '' }, about)
  }

  /**
   * Counts a request of a user who is not signed in. Others at the same address cannot keep out a browser that this instance
   * knows.
   */
  #countVisitor(context: Context, request: PageRequest): void {
    const { addresses, devices } = this.#services
    const device = devices.read(request.device)
    if (device === undefined) addresses.apply(context)
    else applyAllowance(context, this.#ofDevices.take(device.id, DEVICE_LIMIT))
  }

  #read(context: Context, params: PageRequest['params']): PageRequest {
    const voice = voiceOf(chooseLanguage(context.acceptsLanguages.bind(context)), 'UTC')
    context.state.voice = voice
    return {
      params,
      path: context.path,
      query: new URLSearchParams(context.querystring),
      requestId: context.state.requestId,
      address: this.#services.clientAddress(context.req),
      browser: context.get('User-Agent').slice(0, MAX_BROWSER) || null,
      device: this.#services.cookies.read(context.req, DEVICE_COOKIE),
      voice,
      flash: isLive(context) || context.method !== 'GET' ? undefined : this.#services.flashes.take(context),
      navigation: this.#navigation,
      offers: this.#services.offers,
      resume: (...resumed) => this.#resume(...resumed),
    }
  }

  /** Finds the user by the session cookie. Returns undefined if nobody is signed in. */
  async #findAsker(
    context: Context,
    request: PageRequest,
    token: string | undefined,
  ): Promise<UserRequest | undefined> {
    const { db, clock } = this.#services
    if (token === undefined) return undefined
    const found = await db.read(INSTANCE, async tx => {
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
    return { ...request, voice, user, sessionId, lastUsedAt, memberships }
  }

  /** Shows an interrupted form to a user who has just signed in. The gate refuses here what it refuses on any other request. */
  async #resume(context: Context, token: string, { to, body }: InterruptedForm): Promise<void> {
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
      const about = await this.#services.db.read(INSTANCE, tx => admit(tx, page, asker))
      const restore = page.restore as NonNullable<PageAt<Level>['restore']>
      return restore(this.#services, context, about as Levels[Level], new URLSearchParams(body))
    }
    goTo(this.#services, context, { path: to })
  }

  /** Records the use at most once a minute. The request does not wait for it. */
  #markUsed({ sessionId, lastUsedAt }: UserRequest): void {
    const { db, clock, log } = this.#services
    const now = clock()
    // A last use in the future comes from a clock that was ahead.
    if (Math.abs(now - lastUsedAt) < MINUTE) return
    db.write(INSTANCE, tx => sessions.markUsed(tx, sessionId, now)).catch(error =>
      log.warn({ err: error }, 'the last use of a session could not be recorded'),
    )
  }
}

/** Has refusals of the request answered in the layout of a page. */
function frame<AtLevel extends Level>(
  context: Context,
  { level, path }: { level: AtLevel; path: string },
  about: Levels[NoInfer<AtLevel>],
): void {
  context.state.answerInFrame = refusal => answerView(context, { level, path }, about, refusal)
}

/** Returns whether a page renews a part of itself. Such a request takes no flash and prolongs no session. */
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
