import type { PublicRoute } from '../route.ts'
import { describeErrors, HEADERS, headersOf, type Json } from './openapi-responses.ts'

/** Describes the paths that everybody may read, relative to the version. */
export function describePublicPaths(routes: readonly PublicRoute[]): Record<string, Json> {
  return Object.fromEntries(routes.map(route => [route.path, { get: describePublicRoute(route) }]))
}

function describePublicRoute(route: PublicRoute): Json {
  const { operationId, tag, summary, description, type, headers, answer } = route
  const [mediaType = ''] = type.split(';')
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description} Needs no key. It is compressed for those who accept gzip.`,
    security: [],
    responses: {
      200: {
        description: answer.description,
        headers: headersOf(Object.keys(headers).filter(name => HEADERS[name] !== undefined)),
        content: { [mediaType]: { schema: answer.schema, example: answer.example } },
      },
      ...describeErrors(new Set(['rate_limited']), false),
    },
  }
}
