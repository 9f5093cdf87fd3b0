import * as v from 'valibot'
import { MAX_FAULTS } from '#base/faults.ts'
import { type ApiProblemCode, catalogue, Problem } from '#base/problem.ts'
import { field } from '#base/resource.ts'
import { errorBody } from '#machinery/http/errors.ts'

export type Json = Record<string, unknown>

const issuesSchema = v.pipe(
  v.array(
    v.object({
      param: v.optional(field(v.string(), 'The dotted path of the field. Absent where it is none alone.')),
      message: field(v.string(), 'For people.'),
    }),
  ),
  v.minLength(1),
  v.maxLength(MAX_FAULTS),
  v.metadata({
    description:
      'All that is wrong with the parameters or the body, of `invalid_parameter` and `unknown_parameter`: one fault of each ' +
      `field, the first ${MAX_FAULTS}. The first of all stands in \`param\` and \`message\` too.`,
  }),
)

/** Every error has this body (specification section 7). */
export const errorSchema = v.object({
  error: v.object({
    type: v.pipe(
      v.picklist([...new Set(Object.values(catalogue).map(([, type]) => type))]),
      v.metadata({ description: 'The family of the error, to program against.' }),
    ),
    code: v.pipe(
      v.picklist(Object.keys(catalogue) as ApiProblemCode[]),
      v.metadata({ description: 'The specific case.' }),
    ),
    message: v.pipe(v.string(), v.metadata({ description: 'For people.' })),
    param: v.optional(
      v.pipe(v.string(), v.metadata({ description: 'The dotted path of the offending field.' })),
    ),
    details: v.optional(
      v.pipe(
        v.objectWithRest({ issues: v.optional(issuesSchema) }, v.unknown()),
        v.metadata({ description: 'What the case adds.' }),
      ),
    ),
    request_id: v.pipe(
      v.string(),
      v.metadata({
        pattern: '^req_[0-9a-f]{32}$',
        description: 'Names the request for support and in the log.',
      }),
    ),
  }),
})

/** Any request may meet these errors. The description has them as `default`. */
const DEFAULT_CODES: readonly ApiProblemCode[] = [
  'internal_error',
  'unavailable',
  'request_timeout',
  'headers_too_large',
]

const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** An answer of the description may carry any of these headers. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    description: 'Identifies the request.',
    schema: { type: 'string', pattern: '^req_[0-9a-f]{32}$' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests that may be made in any 60 seconds.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'Epoch seconds at which the oldest counted request leaves the window.',
    schema: { type: 'integer' },
  },
  'Idempotent-Replayed': {
    description:
      'Present, as `true`, when this is the kept answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'Content-Security-Policy': {
    description: 'What the page may do: nothing but show itself.',
    schema: { type: 'string', pattern: "^default-src 'none';" },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', enum: ['Bearer'] } },
}

/** Returns the statuses of these codes, each with its codes as examples, and `default` for what any request may meet. */
export function describeErrors(codes: ReadonlySet<ApiProblemCode>, isWrite: boolean): Record<string, Json> {
  const byStatus = new Map<number, ApiProblemCode[]>()
  for (const code of codes) {
    const status = catalogue[code][0]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Record<string, Json> = {}
  for (const [status, ofStatus] of [...byStatus].sort(([one], [other]) => one - other)) {
    const extra: string[] = []
    if (status === 401) extra.push('WWW-Authenticate')
    if (status === 429) extra.push('Retry-After')
    if (isWrite && [404, 409, 422].includes(status)) extra.push('Idempotent-Replayed')
    responses[status] = describeError(ofStatus, ofStatus.map(code => `\`${code}\``).join(', '), extra)
  }
  responses.default = describeError(
    DEFAULT_CODES,
    'Anything else: a fault of the server, or a request that could not be read.',
    ['Retry-After'],
  )
  return responses
}

function describeError(
  codes: readonly ApiProblemCode[],
  description: string,
  headers: readonly string[],
): Json {
  const examples = codes.map(code => [
    code,
    { value: JSON.parse(errorBody(new Problem(code), EXAMPLE_REQUEST_ID)) },
  ])
  return {
    description,
    headers: headersOf(headers),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

export const EXAMPLE_REQUEST_ID = 'req_0f8e7d6c5b4a39281706f5e4d3c2b1a0'

/** Returns the headers that every answer carries, and those that this answer adds. */
export function headersOf(extra: readonly string[]): Json {
  const names = ['X-Request-Id', ...RATE_LIMIT_HEADERS, ...extra]
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
