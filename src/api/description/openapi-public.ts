import { describeErrors, headersOf, type Json } from './openapi-responses.ts'

/** The paths that everybody may read, below the version. */
export function describePublicPaths(): Record<string, Json> {
  return { '/openapi.json': { get: describeDescription() }, '/reference': { get: describeReference() } }
}

function describeDescription(): Json {
  return {
    operationId: 'getOpenApi',
    tags: ['Description'],
    summary: 'Read this description',
    description:
      'This description, in OpenAPI 3.1, for programs: generate a client from it, or load it into an API tool. Needs no key. ' +
      'It is compressed for those who accept gzip.',
    security: [],
    responses: {
      200: {
        description: 'The description.',
        headers: headersOf([]),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                openapi: { type: 'string', enum: ['3.1.0'], description: 'The version of OpenAPI.' },
                info: { type: 'object', additionalProperties: true, description: 'Title, version, guide.' },
                paths: { type: 'object', additionalProperties: true, description: 'The operations.' },
              },
              required: ['openapi', 'info', 'paths'],
              additionalProperties: true,
            },
            example: { openapi: '3.1.0', info: { title: 'Turnout', version: '1.0.0' }, paths: {} },
          },
        },
      },
      ...describeErrors(new Set(['rate_limited']), false),
    },
  }
}

function describeReference(): Json {
  return {
    operationId: 'getReference',
    tags: ['Description'],
    summary: 'Read the reference',
    description:
      'This description as one page for people, made by the server itself. It asks nothing of any other address, so that it ' +
      'works without internet too. Needs no key. It is compressed for those who accept gzip.',
    security: [],
    responses: {
      200: {
        description: 'The page.',
        headers: headersOf(['Content-Security-Policy']),
        content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>' } },
      },
      ...describeErrors(new Set(['rate_limited']), false),
    },
  }
}
