import type { PublicRoute } from '../context.ts'
import { API_PATH } from '../route.ts'
import { describeApi } from './describe.ts'
import type { ApiDocument } from './reference/document.ts'
import { REFERENCE_HEADERS, renderReference } from './reference/page.ts'

/**
 * What everybody may read: the description of the API, for programs and for people.
 *
 * @param baseUrl the address of the server that clients use, where it was set
 * @param listeningUrl where the server listens
 */
export function publicRoutes(baseUrl: string | undefined, listeningUrl: string): PublicRoute[] {
  const address = baseUrl === undefined ? undefined : baseUrl + API_PATH
  return [
    {
      path: '/openapi.json',
      type: 'application/json; charset=utf-8',
      headers: {},
      body: () => JSON.stringify(describeApi(address)),
    },
    {
      path: '/reference',
      type: 'text/html; charset=utf-8',
      headers: REFERENCE_HEADERS,
      body: () => {
        const description = describeApi(address ?? listeningUrl + API_PATH)
        return renderReference(description as unknown as ApiDocument, baseUrl === undefined)
      },
    },
  ]
}
