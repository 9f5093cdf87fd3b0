import { listEndpoints } from '#faces/api/description/reference/document.ts'
import { apiDocument } from './api-document.ts'

/** The ids of things of one account, as the operations of the API name them. */
export interface Ids {
  event: string
  type: string
  registration: string
  attendee: string
  abstract: string
}

/** A request that its operation takes, as its parts. */
export interface OperationRequest {
  operation: string
  method: 'GET' | 'POST'
  path: string
  query: Record<string, string>
  /** Undefined where the operation takes none. */
  // biome-ignore lint/suspicious/noExplicitAny: the JSON that will be sent
  body: any
}

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the JSON that it is
type Json = any

/**
 * Makes a valid request of every operation that the description has behind a key, from its parameters and its example. An operation
 * that is added later is included, or the error names what it lacks.
 *
 * @param query parameters that it is to have, where the operation knows them
 */
export function requestsOf(ids: Ids, query: Readonly<Record<string, string>> = {}): OperationRequest[] {
  return listEndpoints(apiDocument, apiDocument.paths)
    .filter(({ operation }) => operation.security.length > 0)
    .map(({ method, path, operation, parameters }) => {
      const queryNames = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
      const given = { event_id: ids.event, ...query }
      return {
        operation: operation.operationId,
        method,
        path: path.replace('{id}', () => idOfPath(path, ids)),
        query: Object.fromEntries(Object.entries(given).filter(([name]) => queryNames.includes(name))),
        body: withIds(operation.requestBody?.content['application/json']?.example, ids),
      }
    })
}

function idOfPath(path: string, ids: Ids): string {
  const [, collection = ''] = path.split('/')
  const id = ids[collection.replace(/s$/, '') as keyof Ids]
  if (id === undefined) throw new Error(`No id is known for ${path}: name it in Ids.`)
  return id
}

function withIds(node: Json, ids: Ids): Json {
  if (Array.isArray(node)) return node.map(item => withIds(item, ids))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries<Json>(node).map(([name, value]) => [name, idOfField(name, ids) ?? withIds(value, ids)]),
  )
}

function idOfField(name: string, ids: Ids): string | undefined {
  if (!name.endsWith('_id')) return undefined
  const id = ids[(name === 'registration_type_id' ? 'type' : name.slice(0, -3)) as keyof Ids]
  if (id === undefined) throw new Error(`No id is known for ${name}: name it in Ids.`)
  return id
}

export function pathOf({ path, query }: OperationRequest): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}
