import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { newRequestId } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { DatabaseClosed } from '#machinery/db/port.ts'
import type { AddressLimit } from './address-limit.ts'
import { errorBody, statusOf, toProblem } from './errors.ts'
import type { Context, Stage } from './face.ts'
import type { RequestObserver } from './observer.ts'
import { RATE_LIMIT_HEADERS } from './rate-limit.ts'
import { writeRequestLine } from './request-line.ts'
import { answerJson } from './sending.ts'
import { parseTarget } from './target.ts'

/** The most bytes to read and discard of a refused body. Then the connection is cut. */
const MAX_DISCARDED = 16 * 1024 * 1024

/** The services that handle every request, whichever face it is for. */
export interface SiteServices {
  log: Logger
  /** Counts requests for public or unknown paths, and input that is not a request at all. */
  addresses: AddressLimit
  observe?: RequestObserver | undefined
  /** Returns the headers that every answer over TLS has. */
  ofTransport?: ((request: IncomingMessage) => Readonly<Record<string, string>>) | undefined
}

/** Returns the stage that gives a request its id, and its answer the headers that every answer has. */
export function identify({ ofTransport }: SiteServices): Stage {
  return (context, next) => {
    const { state } = context
    state.requestId = newRequestId()
    context.set({
      'X-Request-Id': state.requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...ofTransport?.(context.req),
    })
    return next()
  }
}

/** Returns the stage that writes one line a request: what was asked and how it ended, and nothing of its content. */
export function logRequest({ log, observe }: SiteServices): Stage {
  return async (context, next) => {
    const started = performance.now()
    await next()
    const { requestId, route, asker, problem } = context.state
    const { method, status } = context
    const path = route?.path ?? null
    const duration = performance.now() - started
    observe?.({ method, route: path, status, duration })
    writeRequestLine(log, route?.logLevel ?? 'info', {
      request_id: requestId,
      method,
      route: path,
      status,
      code: problem?.code,
      asker,
      duration_ms: Math.round(duration * 100) / 100,
    })
  }
}

/** Returns the stage that takes the count of requests out of an answer for people. A refused one still has `Retry-After`. */
export function leaveOutCounts(): Stage {
  return async (context, next) => {
    await next()
    if (!context.state.face?.isForPeople || context.response.is('json')) return
    for (const name of RATE_LIMIT_HEADERS) context.remove(name)
  }
}

/** Returns the stage that answers the Problems and errors of the later stages, as the face of the request does. */
export function answerProblems({ log, addresses }: SiteServices): Stage {
  function note(context: Context, error: unknown): Problem {
    const problem = toProblem(error)
    const { state } = context
    state.problem = problem
    // A request that was cut off because the server ended is not a failure of the server.
    const level = error instanceof DatabaseClosed ? 'warn' : 'error'
    if (problem !== error) log[level]({ err: error, request_id: state.requestId }, 'a request failed')
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

/**
 * Sets Retry-After. The rate limit knows the seconds, and so do a few other Problems. A wait for others to read their answers has
 * no known time.
 */
function sayWhenToRetry(context: Context, problem: Problem): void {
  const status = statusOf(problem)
  if ((status === 429 || status === 503) && !context.res.hasHeader('Retry-After'))
    context.set('Retry-After', String(problem.retryAfter ?? 1))
}

/**
 * Returns the stage that parses the target of a request before anything looks at it. An invalid target counts as an unknown path.
 */
export function readTarget({ addresses }: SiteServices): Stage {
  return (context, next) => {
    const target = parseTarget(context.method, context.url)
    if (target === undefined) {
      addresses.apply(context)
      throw new Problem('invalid_parameter', { message: 'The request target is no path and no http URL.' })
    }
    // The URL becomes a path alone. Later readers would parse a full URL in ways of their own.
    context.url = target.query === '' ? target.path : `${target.path}?${target.query}`
    return next()
  }
}

/** Lets a client that is still sending read its answer. The system resets a connection that is closed with unread bytes. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  let discarded = 0
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > MAX_DISCARDED) request.destroy()
  })
  request.on('error', () => undefined)
  // An earlier reader may have paused the request, and a listener alone does not resume it.
  request.resume()
}
