import type { PublicRoute } from '../context.ts'
import { describeApi } from './describe.ts'
import type { ApiDocument } from './reference/document.ts'
import { REFERENCE_HEADERS, renderReference } from './reference/page.ts'

/**
 * What everybody may read: the description of the API, for programs and for people.
 *
 * @param baseUrl the address that clients use, where it was set
 * @param listeningUrl where the server listens
 */
export function publicRoutes(baseUrl: string | undefined, listeningUrl: string): PublicRoute[] {
  return [
    {
      path: '/openapi.json',
      type: 'application/json; charset=utf-8',
      headers: {},
      body: () => JSON.stringify(describeApi(baseUrl)),
    },
    {
      path: '/reference',
      type: 'text/html; charset=utf-8',
      headers: REFERENCE_HEADERS,
      body: () => {
        const description = describeApi(baseUrl ?? listeningUrl)
        return renderReference(description as unknown as ApiDocument, baseUrl === undefined)
      },
    },
  ]
}
