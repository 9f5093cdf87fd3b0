import * as v from 'valibot'
import { closedObject } from '#base/fields.ts'
import { parseJson, readBody } from '#machinery/http/json-body.ts'
import type { Services, Stage } from '../context.ts'
import * as input from '../input.ts'
import { paramsOf, type Route, refusesUnknownQuery } from '../route.ts'

const NO_PARAMETER = closedObject({})

/** Reads and validates the header, the parameters and the body, in this order. */
export function readInput({ cursors, clock }: Services, route: Route): Stage {
  const declared = paramsOf(route)
  return async (context, next) => {
    const { state } = context
    const isWrite = route.kind === 'write'
    if (isWrite) state.idempotencyKey = input.readIdempotencyKey(context.req.headers['idempotency-key'])
    const query = readQuery(route, context.querystring)
    if (isWrite) state.rawBody = await readBody(context.req, bytes => state.holding.keep('body', bytes))
    const body = isWrite ? parseBody(route, state.rawBody) : undefined
    state.received = {
      accountId: state.caller.accountId,
      params: readParams(declared, context.captures as string[]),
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
  return input.readQuery(route.query ?? NO_PARAMETER, querystring)
}

/** @throws Problem malformed_json, invalid_parameter, unknown_parameter */
function parseBody(route: Route, bytes: Buffer): unknown {
  const nothing = route.body === undefined && bytes.length === 0
  return input.validate(route.body ?? input.emptyBody, nothing ? {} : parseJson(bytes))
}

/** The parameters come from the raw path, because a percent-encoded id is not its canonical form. */
function readParams(
  declared: ReturnType<typeof paramsOf>,
  sent: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [at, { name, schema }] of declared.entries()) {
    const result = v.safeParse(schema, sent[at])
    if (!result.success) return undefined
    params[name] = result.output
  }
  return params
}
