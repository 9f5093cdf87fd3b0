import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type Router from '@koa/router'
import type { Reader } from '../../db/batches.ts'
import type { Holding } from '../../http/memory-budget.ts'
import { bodyOf, streamOf } from '../../http/sending.ts'
import { isUuid } from '../../ids.ts'
import { healthBody } from '../../ops/health.ts'
import { Problem } from '../../problem.ts'
import { BuiltJson } from '../../resource.ts'
import { answer, type Context, type PublicRoute, type Services, type Stage, type State } from '../context.ts'
import { fingerprint } from '../idempotency.ts'
import * as input from '../input.ts'
import { type Call, type Route, type RouteOf, refusesUnknownQuery } from '../route.ts'
import { carryOut } from '../write.ts'

const compress = promisify(gzip)

/** What a report keeps in memory while it is made and sent, in bytes: rows that were read, and pieces of its text. */
const REPORT = 2 * 1024 * 1024

/** Makes room for an answer, before anybody is told of it: what has no room was never done. */
function keepAnswer(holding: Holding, json: string): string {
  holding.keep('answer', Buffer.byteLength(json))
  return json
}

function jsonOf(result: object): string {
  return result instanceof BuiltJson ? result.json : JSON.stringify(result)
}

/** The stages that read what was sent, and answer it. */
export function answeringStages({
  db,
  clock,
  log,
  cursors,
  clientAddress,
  isHealthy,
  healthDetails,
}: Services) {
  const nameRoute =
    (route: State['route']): Stage =>
    (context, next) => {
      context.state.route = route
      return next()
    }

  const readInput =
    (route: Route): Stage =>
    async (context, next) => {
      const { state } = context
      const isWrite = route.kind === 'write'
      if (isWrite) state.idempotencyKey = input.readIdempotencyKey(context.req.headers['idempotency-key'])
      let query: unknown
      if (refusesUnknownQuery(route)) {
        const given = input.parseQuery(context.querystring)
        if (route.query === undefined) input.refuseEveryParameter(given)
        else query = input.validate(route.query, given)
      }
      let body: unknown
      if (isWrite) {
        state.rawBody = await input.readBody(context.req, bytes => state.holding.keep('body', bytes))
        const nothing = route.body === undefined && state.rawBody.length === 0
        body = input.validate(route.body ?? input.emptyBody, nothing ? {} : input.parseJson(state.rawBody))
      }
      // As it was sent: an id in percent-encoding is not the one form of an id.
      const [id = ''] = context.captures as string[]
      state.call = {
        accountId: state.caller.accountId,
        id: isUuid(id) ? id.toLowerCase() : '',
        query,
        body,
        cursors,
        receivedAt: clock(),
      }
      return next()
    }

  const answerRead =
    (route: RouteOf<'read'>): Stage =>
    async context => {
      const { call, holding } = context.state
      // One after another, so that many who ask for much at once are seen by each other.
      const json = await db.read(async tx => {
        const result = await route.handle(tx, call as Call<unknown, never>)
        return keepAnswer(holding, jsonOf(result))
      })
      answer(context, route.answer.status, json)
    }

  /** Nothing is read for a client that has gone. */
  const readerFor = (context: Context): Reader => ({
    read: work => (context.res.destroyed ? Promise.reject(new Problem('unavailable')) : db.read(work)),
  })

  const answerSearch =
    (route: RouteOf<'search'>): Stage =>
    async context => {
      const { call, holding } = context.state
      const result = await route.handle(readerFor(context), call as Call<unknown, never>)
      answer(context, route.answer.status, keepAnswer(holding, jsonOf(result)))
    }

  const answerWrite =
    (route: RouteOf<'write'>): Stage =>
    async context => {
      const { requestId, caller, call, rawBody, holding, idempotencyKey: key } = context.state
      const { accountId } = caller
      const outcome = await carryOut(db, {
        route,
        requestId,
        call: call as Call<never, unknown>,
        actor: `key:${caller.keyId}`,
        address: clientAddress(context.req),
        makeRoom: json => keepAnswer(holding, json),
        idempotent:
          key === undefined
            ? undefined
            : { accountId, key, fingerprint: fingerprint(context.method, context.path, rawBody) },
      })
      if (outcome.replayed) context.set('Idempotent-Replayed', 'true')
      context.state.problem = outcome.problem
      answer(context, outcome.status, outcome.body)
    }

  const answerReport =
    (route: RouteOf<'report'>): Stage =>
    async context => {
      const { requestId, call, holding } = context.state
      holding.keep('answer', REPORT)
      const report = await route.handle(readerFor(context), call as Call<unknown, never>)
      if ('json' in report) {
        return answer(context, route.answer.status, keepAnswer(holding, JSON.stringify(report.json)))
      }
      context.status = route.answer.status
      context.type = report.type
      if (report.fileName !== undefined) context.attachment(report.fileName)
      context.body = streamOf(context.res, report.chunks, error => {
        if (!context.res.destroyed) log.error({ err: error, request_id: requestId }, 'a report broke off')
      })
    }

  function answerFor(route: Route): Stage {
    switch (route.kind) {
      case 'read':
        return answerRead(route)
      case 'search':
        return answerSearch(route)
      case 'report':
        return answerReport(route)
      case 'write':
        return answerWrite(route)
    }
  }

  function answerPublic({ type, headers, body }: PublicRoute): Stage {
    let plain: Buffer | undefined
    let compressed: Promise<Buffer> | undefined
    return async context => {
      plain ??= Buffer.from(body())
      const isCompressed = context.acceptsEncodings('gzip', 'identity') === 'gzip'
      let sent = plain
      if (isCompressed) {
        // What failed for want of memory is tried again.
        compressed ??= compress(plain).catch(error => {
          compressed = undefined
          throw error
        })
        sent = await compressed
      }
      context.set(headers)
      context.vary('Accept-Encoding')
      if (isCompressed) context.set('Content-Encoding', 'gzip')
      context.type = type
      context.body = bodyOf(context.res, sent)
      context.length = sent.length
    }
  }

  const answerHealth: Stage = async context => {
    const healthy = await isHealthy()
    answer(context, healthy ? 200 : 503, healthBody(healthy, healthDetails()))
  }

  const refuseUnknown =
    (router: Router<State>): Stage =>
    async context => {
      const known = router.match(context.path, context.method).path
      if (known.length === 0) throw new Problem('route_not_found')
      context.set('Allow', [...new Set(known.flatMap(layer => layer.methods))].join(', '))
      throw new Problem('method_not_allowed')
    }

  return { nameRoute, readInput, answerFor, answerPublic, answerHealth, refuseUnknown }
}
