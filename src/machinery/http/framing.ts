import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { newRequestId } from '../ids.ts'
import { Problem } from '../problem.ts'
import type { AddressLimit } from './address-limit.ts'
import { errorBody, statusOf, toProblem } from './errors.ts'
import type { Context, Stage } from './face.ts'
import type { RequestObserver } from './observer.ts'
import { answerJson } from './sending.ts'
import { parseTarget } from './target.ts'

/** The most that is read and thrown away of a body which was refused, in bytes; then the connection is cut. */
const MAX_DISCARDED = 16 * 1024 * 1024

/** What every request meets, whichever face it is for. */
export interface SiteServices {
  log: Logger
  /** Counts requests to what is public or unknown, and what is no request at all. */
  addresses: AddressLimit
  observe?: RequestObserver | undefined
}

/** Gives the request its id, and the answer what every answer has. */
export const identify: Stage = (context, next) => {
  const { state } = context
  state.requestId = newRequestId()
  context.set({
    'X-Request-Id': state.requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  return next()
}

/** One line a request: what was asked and how it ended, and nothing of what was in it. */
export function logRequest({ log, observe }: SiteServices): Stage {
  return async (context, next) => {
    const started = performance.now()
    await next()
    const { requestId, route, asker, problem } = context.state
    const { method, status } = context
    const path = route?.path ?? null
    const duration = performance.now() - started
    observe?.({ method, route: path, status, duration })
    log[route?.logLevel ?? 'info']({
      request_id: requestId,
      method,
      route: path,
      status,
      code: problem?.code,
      ...asker,
      duration_ms: Math.round(duration * 100) / 100,
    })
  }
}

/** Answers what was refused or has failed after it, as the face of the request does. */
export function answerProblems({ log, addresses }: SiteServices): Stage {
  function note(context: Context, error: unknown): Problem {
    const problem = toProblem(error)
    const { state } = context
    state.problem = problem
    if (problem !== error) log.error({ err: error, request_id: state.requestId }, 'a request failed')
    return problem
  }

  function answerInJson(context: Context, problem: Problem): void {
    if (!context.res.hasHeader('X-RateLimit-Limit')) context.set(addresses.headersOf(context.req))
    sayWhenToRetry(context, problem)
    answerJson(context, statusOf(problem), errorBody(problem, context.state.requestId))
  }

  return async (context, next) => {
    try {
      await next()
    } catch (error) {
      const problem = note(context, error)
      const { face } = context.state
      if (face?.answerProblem === undefined) {
        answerInJson(context, problem)
      } else {
        sayWhenToRetry(context, problem)
        try {
          await face.answerProblem(context as Context<never>, problem)
        } catch (failure) {
          answerInJson(context, note(context, failure))
        }
      }
      discardRest(context.req)
    }
  }
}

/** The rate limit knows when; what waits for others to be read does not. */
function sayWhenToRetry(context: Context, problem: Problem): void {
  const status = statusOf(problem)
  if ((status === 429 || status === 503) && !context.res.hasHeader('Retry-After'))
    context.set('Retry-After', '1')
}

/** Settles what is asked for before anything looks at it. What is no target counts as a path that is none. */
export function readTarget({ addresses }: SiteServices): Stage {
  return (context, next) => {
    const target = parseTarget(context.method, context.url)
    if (target === undefined) {
      addresses.apply(context)
      throw new Problem('invalid_parameter', { message: 'The request target is no path and no http URL.' })
    }
    // As a path alone: what reads it from here on would take a URL apart in ways of its own.
    context.url = target.query === '' ? target.path : `${target.path}?${target.query}`
    return next()
  }
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
  // Who read it before may have paused it, and a listener alone does not set it going again.
  request.resume()
}
