import type { PublicRoute } from '../route.ts'
import type { ApiDocument } from './reference/document.ts'
import { REFERENCE_HEADERS, renderReference } from './reference/page.ts'

/** Everybody may read these pages. They describe the API, one for programs and one for people. */
export const publicRoutes: readonly PublicRoute[] = [
  {
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Description',
    summary: 'Read this description',
    description:
      'This description, in OpenAPI 3.1, for programs: generate a client from it, or load it into an API tool.',
    type: 'application/json; charset=utf-8',
    headers: {},
    answer: {
      description: 'The description.',
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
    body: ({ apiUrl, listeningUrl, describe }) => JSON.stringify(describe(apiUrl ?? listeningUrl)),
  },
  {
    path: '/reference',
    operationId: 'getReference',
    tag: 'Description',
    summary: 'Read the reference',
    description:
      'This description as one page for people, made by the server itself. It asks nothing of any other address, so that it ' +
      'works without internet too.',
    type: 'text/html; charset=utf-8',
    headers: REFERENCE_HEADERS,
    answer: { description: 'The page.', schema: { type: 'string' }, example: '<!doctype html>' },
    body: ({ apiUrl, listeningUrl, describe }) => {
      const document = describe(apiUrl ?? listeningUrl)
      return renderReference(document as unknown as ApiDocument, apiUrl === undefined)
    },
  },
]
