import { isUuid } from '../../ids.ts'
import type { Services, Stage } from '../context.ts'
import * as input from '../input.ts'
import { type Route, refusesUnknownQuery } from '../route.ts'

/** Reads and checks what was sent: the header, the parameters, the body, in this order. */
export function readInput({ cursors, clock }: Services, route: Route): Stage {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  return async (context, next) => {
    const { state } = context
    const isWrite = route.kind === 'write'
    if (isWrite) state.idempotencyKey = input.readIdempotencyKey(context.req.headers['idempotency-key'])
    const query = readQuery(route, context.querystring)
    if (isWrite) state.rawBody = await input.readBody(context.req, bytes => state.holding.keep('body', bytes))
    const body = isWrite ? parseBody(route, state.rawBody) : undefined
    state.received = {
      accountId: state.caller.accountId,
      params: readParams(names, context.captures as string[]),
      query,
      body,
      cursors,
      receivedAt: clock(),
    }
    return next()
  }
}

/** @throws Problem invalid_parameter, unknown_parameter */
function readQuery(route: Route, querystring: string): unknown {
  if (!refusesUnknownQuery(route)) return undefined
  const given = input.parseQuery(querystring)
  if (route.query !== undefined) return input.validate(route.query, given)
  input.refuseEveryParameter(given)
  return undefined
}

/** @throws Problem malformed_json, invalid_parameter, unknown_parameter */
function parseBody(route: Route, bytes: Buffer): unknown {
  const nothing = route.body === undefined && bytes.length === 0
  return input.validate(route.body ?? input.emptyBody, nothing ? {} : input.parseJson(bytes))
}

/** The ids of the path as they were sent: one in percent-encoding is not the one form of an id. */
function readParams(names: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  if (!sent.every(isUuid)) return undefined
  return Object.fromEntries(names.map((name, at) => [name, (sent[at] as string).toLowerCase()]))
}
