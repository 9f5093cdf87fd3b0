import type { IncomingMessage } from 'node:http'
import Router from '@koa/router'
import Koa, { type ParameterizedContext } from 'koa'
import type { Logger } from 'pino'
import type { Database } from '../db/port.ts'
import { isUuid, newRequestId } from '../ids.ts'
import * as keys from '../keys/rules.ts'
import { Problem } from '../problem.ts'
import { type Clock, MINUTE } from '../time.ts'
import { carryOut } from './carry-out.ts'
import { addressGroup } from './client-address.ts'
import { readCredentials } from './credentials.ts'
import type { Cursors } from './cursors.ts'
import { errorBody, statusOf, toProblem } from './errors.ts'
import { fingerprint } from './idempotency.ts'
import * as input from './input.ts'
import { type Allowance, RateLimiter, rateLimitHeaders } from './rate-limit.ts'
import { type Call, type Route, refusesUnknownQuery } from './route.ts'

/** Requests a minute of one address: to public and unknown paths, and with a key that is missing or refused. */
const PUBLIC_LIMIT = 120
const FAILED_KEY_LIMIT = 30
const KEPT_ADDRESSES = 10_000
const KEPT_KEYS = 100_000

/** The most that is read and thrown away of a body which was refused, in bytes; then the connection is cut. */
const MAX_DISCARDED = 16 * 1024 * 1024

export interface PublicRoute {
  path: string
  /** The whole body, as JSON text. */
  body: string
}

export interface Services {
  db: Database
  clock: Clock
  log: Logger
  cursors: Cursors
  clientAddress: (request: IncomingMessage) => string
}

interface State {
  requestId: string
  route: Route | PublicRoute | undefined
  caller: keys.Caller
  call: Call<unknown, unknown>
  rawBody: Buffer
  idempotencyKey: string | undefined
  problem: Problem | undefined
}

type Context = ParameterizedContext<State>
type Stage = (context: Context, next: () => Promise<unknown>) => Promise<unknown>

/** The way of a request, from its id to its answer: each stage in its order. */
export function buildPipeline(
  services: Services,
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
) {
  const stages = buildStages(services)
  const router = new Router<State>({ prefix: '/v1', sensitive: true, strict: true })
  for (const route of routes) {
    router.register(
      route.path.replace('{id}', ':id'),
      [route.method],
      [
        stages.nameRoute(route),
        stages.authenticate,
        stages.limitRate,
        stages.requireScope(route),
        stages.readInput(route),
        route.method === 'GET' ? stages.answerRead(route) : stages.answerWrite(route),
      ],
    )
  }
  for (const route of publicRoutes) {
    router.register(
      route.path,
      ['GET'],
      [stages.nameRoute(route), stages.limitAddress, stages.answerPublic(route)],
    )
  }
  const koa = new Koa<State>()
  koa.silent = true
  koa
    .use(stages.identify)
    .use(stages.logRequest)
    .use(stages.answerProblem)
    .use(router.routes())
    .use(stages.limitAddress)
    .use(stages.refuseUnknownPath(router))
  return { listener: koa.callback(), rateLimitHeaders: stages.lookAtAddress }
}

function buildStages({ db, clock, log, cursors, clientAddress }: Services) {
  const keyLimiter = new RateLimiter(clock, KEPT_KEYS)
  const publicLimiter = new RateLimiter(clock, KEPT_ADDRESSES)
  const failedKeyLimiter = new RateLimiter(clock, KEPT_ADDRESSES)
  const lastMarked = new Map<string, number>()

  function applyAllowance(context: Context, allowance: Allowance): void {
    context.set(rateLimitHeaders(allowance))
    if (allowance.allowed) return
    context.set('Retry-After', String(allowance.retryAfter))
    throw new Problem('rate_limited')
  }

  /** The headers of an answer that counts for nobody. */
  function lookAtAddress(address: string): Record<string, string> {
    return rateLimitHeaders(publicLimiter.look(addressGroup(address), PUBLIC_LIMIT))
  }

  /** Keeps when a key was last used, at most once a minute; the request does not wait for it. */
  function markUsed(caller: keys.Caller): void {
    const now = clock()
    const last = Math.max(caller.lastUsedAt ?? 0, lastMarked.get(caller.keyId) ?? 0)
    if (now - last < MINUTE) return
    lastMarked.set(caller.keyId, now)
    db.write(tx => keys.markUsed(tx, caller.keyId, now)).catch(error =>
      log.warn({ err: error, key_id: caller.keyId }, 'the last use of a key could not be recorded'),
    )
  }

  const identify: Stage = async (context, next) => {
    const { state } = context
    state.requestId = newRequestId()
    context.set({
      'X-Request-Id': state.requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    await next()
  }

  /** One line a request: what was asked and how it ended, and nothing of what was in it. */
  const logRequest: Stage = async (context, next) => {
    const started = performance.now()
    await next()
    const { requestId, route, caller, problem } = context.state
    log.info({
      request_id: requestId,
      method: context.method,
      route: route?.path ?? null,
      status: context.status,
      code: problem?.code,
      key_id: caller?.keyId,
      duration_ms: Math.round((performance.now() - started) * 100) / 100,
    })
  }

  const answerProblem: Stage = async (context, next) => {
    try {
      await next()
    } catch (error) {
      const problem = toProblem(error)
      const { requestId } = context.state
      context.state.problem = problem
      if (problem !== error) log.error({ err: error, request_id: requestId }, 'a request failed')
      if (context.response.get('X-RateLimit-Limit') === '') {
        context.set(
          rateLimitHeaders(publicLimiter.look(addressGroup(clientAddress(context.req)), PUBLIC_LIMIT)),
        )
      }
      const status = statusOf(problem)
      if (status === 401) context.set('WWW-Authenticate', 'Bearer')
      if (status === 503) context.set('Retry-After', '1')
      answer(context, status, errorBody(problem, requestId))
      discardRest(context.req)
    }
  }

  const nameRoute =
    (route: Route | PublicRoute): Stage =>
    (context, next) => {
      context.state.route = route
      return next()
    }

  const authenticate: Stage = async (context, next) => {
    try {
      const key = readCredentials(context.req.headers)
      context.state.caller = await db.read(tx => keys.authenticate(tx, key, clock()))
    } catch (error) {
      if (error instanceof Problem) {
        const group = addressGroup(clientAddress(context.req))
        applyAllowance(context, failedKeyLimiter.take(group, FAILED_KEY_LIMIT))
      }
      throw error
    }
    return next()
  }

  const limitRate: Stage = (context, next) => {
    const { caller } = context.state
    applyAllowance(context, keyLimiter.take(caller.keyId, caller.rateLimit))
    markUsed(caller)
    return next()
  }

  const limitAddress: Stage = (context, next) => {
    applyAllowance(context, publicLimiter.take(addressGroup(clientAddress(context.req)), PUBLIC_LIMIT))
    return next()
  }

  const requireScope =
    ({ scope }: Route): Stage =>
    (context, next) => {
      if (!context.state.caller.scopes.includes(scope)) {
        throw new Problem('insufficient_scope', { details: { required_scope: scope } })
      }
      return next()
    }

  const readInput =
    (route: Route): Stage =>
    async (context, next) => {
      const { state } = context
      const isPost = route.method === 'POST'
      if (isPost) state.idempotencyKey = input.readIdempotencyKey(context.req.headers['idempotency-key'])
      let query: unknown
      if (refusesUnknownQuery(route)) {
        const given = input.parseQuery(context.querystring)
        if (route.query === undefined) input.refuseEveryParameter(given)
        else query = input.validate(route.query, given)
      }
      let body: unknown
      if (isPost) {
        state.rawBody = await input.readBody(context.req)
        const bodyless = route.body === undefined
        const parsed = bodyless && state.rawBody.length === 0 ? {} : input.parseJson(state.rawBody)
        body = input.validate(route.body ?? input.emptyBody, parsed)
      }
      const { id = '' } = context.params as { id?: string }
      state.call = {
        accountId: state.caller.accountId,
        id: isUuid(id) ? id.toLowerCase() : '',
        query,
        body,
        cursors,
      }
      return next()
    }

  const answerRead =
    (route: Route & { method: 'GET' }): Stage =>
    async context => {
      const result = await db.read(tx => route.handle(tx, context.state.call as Call<unknown, never>))
      answer(context, route.answer.status, JSON.stringify(result))
    }

  const answerWrite =
    (route: Route & { method: 'POST' }): Stage =>
    async context => {
      const { requestId, caller, call, rawBody, idempotencyKey } = context.state
      const outcome = await carryOut(db, {
        route,
        requestId,
        call: call as Call<never, unknown>,
        actor: `key:${caller.keyId}`,
        address: clientAddress(context.req),
        receivedAt: clock(),
        idempotent:
          idempotencyKey === undefined
            ? undefined
            : {
                accountId: caller.accountId,
                key: idempotencyKey,
                fingerprint: fingerprint(context.method, context.path, rawBody),
              },
      })
      if (outcome.replayed) context.set('Idempotent-Replayed', 'true')
      context.state.problem = outcome.problem
      answer(context, outcome.status, outcome.body)
    }

  const answerPublic =
    (route: PublicRoute): Stage =>
    async context =>
      answer(context, 200, route.body)

  const refuseUnknownPath =
    (router: Router<State>): Stage =>
    async context => {
      const known = router.match(context.path, context.method).path
      if (known.length === 0) throw new Problem('route_not_found')
      context.set('Allow', [...new Set(known.flatMap(layer => layer.methods))].join(', '))
      throw new Problem('method_not_allowed')
    }

  return {
    identify,
    logRequest,
    answerProblem,
    nameRoute,
    authenticate,
    limitRate,
    limitAddress,
    requireScope,
    readInput,
    answerRead,
    answerWrite,
    answerPublic,
    refuseUnknownPath,
    lookAtAddress,
  }
}

function answer(context: Context, status: number, body: string): void {
  context.status = status
  context.type = 'application/json; charset=utf-8'
  context.body = body
}

/** Lets a client that is still sending read its answer: a connection that is closed on unread bytes is reset. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  let discarded = 0
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > MAX_DISCARDED) request.destroy()
  })
  request.on('error', () => undefined)
}
