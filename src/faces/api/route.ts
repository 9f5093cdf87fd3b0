import type * as v from 'valibot'
import { uuid } from '#base/fields.ts'
import { type ApiProblemCode, Problem } from '#base/problem.ts'
import { field, type Written } from '#base/resource.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Cursors } from '#machinery/db/cursors.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Streamed } from '#machinery/http/streamed.ts'
import type { Scope } from '#product/administration/keys/scopes.ts'

/** Every address of the API starts with this version (specification section 9). */
export const API_PATH = '/v1'

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

/** These are the parameters of a path, as its schema returns them: `/events/{id}` has `id`, a UUID in lower case. */
export type Params<Path extends string> = Readonly<Record<NameIn<Path>, string>>

/** A handler gets this input. Everything in it is validated. */
export interface Call<Query, Body, Path extends string = never> {
  accountId: string
  params: Params<Path>
  query: Query
  body: Body
  cursors: Cursors
  /** When the server read the request, in Unix milliseconds. */
  receivedAt: number
}

/** The request is validated except for its path: `params` is undefined if the path does not fit its schema. */
export type Received = Omit<Call<unknown, unknown>, 'params'> & {
  params: Readonly<Record<string, string>> | undefined
}

/**
 * Returns the input of the handler. The pipeline calls it only when the handler's turn comes, so that an impossible id is refused
 * exactly like an unknown one.
 *
 * @throws Problem not_found
 */
export function toCall(received: Received): Call<never, never> {
  const { params } = received
  if (params === undefined) throw new Problem('not_found')
  return { ...received, params } as Call<never, never>
}

export interface Answer {
  status: 200 | 201
  description: string
  schema: v.GenericSchema
  example: unknown
  /** The answer may have these media types instead of JSON. Each has an example. */
  otherTypes?: Readonly<Record<string, string>>
}

/** The schema also has a text and examples, for the OpenAPI description. */
export type ParamSchema = v.GenericSchema<string, string>

export const resourceId = field(uuid, 'The id of the resource. One that is no UUID is not found.')

interface Declaration<Path extends string, Query, Body> {
  /**
   * The path has OpenAPI's form and is relative to the version, like `/registrations/{id}`. Its parameters are in `call.params`.
   */
  path: Path
  /** Each parameter of the path has a schema. The default is the id of a resource. A value that its schema refuses is a 404. */
  params?: Readonly<Partial<Record<NameIn<Path>, ParamSchema>>>
  operationId: string
  tag: string
  summary: string
  description?: string
  scope: Scope
  answer: Answer
  /** The handler itself may throw these codes. The pipeline adds its own. */
  errors: readonly ApiProblemCode[]
  query?: v.GenericSchema<unknown, Query>
  body?: v.GenericSchema<unknown, Body>
  bodyExample?: unknown
}

export interface ReadDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  handle(tx: ReadTx, call: Call<Query, never, Path>): Promise<object>
}

export interface WriteDeclaration<Path extends string, Body, Prepared = unknown>
  extends Declaration<Path, never, Body> {
  /** The access log calls the action and the kind of its target by these names. */
  action: string
  target: string
  /**
   * Does work for `handle` before the write begins, so that the write is shorter. It decides nothing: if it fails, `handle` meets
   * the same failure in its turn.
   */
  prepare?(
    reader: Reader,
    context: Pick<Call<never, Body>, 'accountId' | 'body'>,
  ): Promise<Prepared | undefined>
  handle(tx: WriteTx, call: Call<never, Body, Path>, prepared: Prepared | undefined): Promise<Written<object>>
  /** Each decision of `handle` is made by a statement, as `WriteOptions` has it. */
  isGuarded?: true
  /** Returns the id for the access log from the resource. Without it, the log has the id of the path or the Problem's subject. */
  targetOf?(resource: never): string
  /** Returns the parts of the body that the access log keeps, beside the outcome. */
  detailsOf?(body: Body): Record<string, unknown>
}

/** This operation searches, which may take more than one snapshot. It reads in short pieces, and answers once. */
export interface SearchDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  handle(reader: Reader, call: Call<Query, never, Path>): Promise<object>
}

/** The content of a report is either pieces of text, or one object as JSON. */
export type Report = Streamed | { json: object }

/** This operation reads too much for one snapshot. It reads in batches, and may send while it reads. */
export interface ReportDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  /** Throws before it answers, so that a refusal gets its status. A failure while it sends breaks the connection. */
  handle(reader: Reader, call: Call<Query, never, Path>): Promise<Report>
}

/** A declared operation has no types of its input any more. The pipeline has checked the input by the schemas. */
export type Route =
  | (ReadDeclaration<string, unknown> & { kind: 'read'; method: 'GET' })
  | (SearchDeclaration<string, unknown> & { kind: 'search'; method: 'GET' })
  | (ReportDeclaration<string, unknown> & { kind: 'report'; method: 'GET' })
  | (WriteDeclaration<string, unknown> & { kind: 'write'; method: 'POST' })

export type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>

/** Declares an operation that reads in one snapshot. */
export function readRoute<const Path extends string, Query = unknown>(
  declaration: ReadDeclaration<Path, Query>,
): Route {
  return { kind: 'read', method: 'GET', ...declaration } as Route
}

/** Declares an operation that writes, in one transaction with its idempotent answer and its access log entry. */
export function writeRoute<const Path extends string, Body = unknown, Prepared = unknown>(
  declaration: WriteDeclaration<Path, Body, Prepared>,
): Route {
  return { kind: 'write', method: 'POST', ...declaration } as Route
}

/** Declares an operation that searches many rows, in short reads. */
export function searchRoute<const Path extends string, Query = unknown>(
  declaration: SearchDeclaration<Path, Query>,
): Route {
  return { kind: 'search', method: 'GET', ...declaration } as Route
}

/** Declares an operation that reads in batches. */
export function reportRoute<const Path extends string, Query = unknown>(
  declaration: ReportDeclaration<Path, Query>,
): Route {
  return { kind: 'report', method: 'GET', ...declaration } as Route
}

/** Returns the names and schemas of the path's parameters, in the order of the path. */
export function paramsOf({ path, params = {} }: Route): { name: string; schema: ParamSchema }[] {
  const declared: Readonly<Record<string, ParamSchema>> = params
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    schema: declared[name] ?? resourceId,
  }))
}

/** The API refuses unknown query parameters if the specification's row has 400 for parameters. Otherwise it ignores them. */
export function refusesUnknownQuery(route: Route): boolean {
  return route.query !== undefined || route.body !== undefined
}

/** A public page has a path and one answer. */
export interface PublicPage {
  path: string
  type: string
  /** The headers of the answer. The OpenAPI description lists the ones it knows. */
  headers: Readonly<Record<string, string>>
  /** Returns the whole text. The server makes it at the first request, and keeps it. */
  body: () => string
}

/** A public page is declared with this. The description adds that the page needs no key and may be compressed. */
export interface PublicRoute extends Omit<PublicPage, 'body'> {
  operationId: string
  tag: string
  summary: string
  description: string
  /** The schema describes the page's text or its JSON. */
  answer: { description: string; schema: Record<string, unknown>; example: unknown }
  body: (server: DescribedServer) => string
}

/** A public page may show these facts about the server. */
export interface DescribedServer {
  /** The address that clients use. It is undefined if it is not set. */
  apiUrl: string | undefined
  /** The server listens on this address. */
  listeningUrl: string
  /** Returns the OpenAPI document. */
  describe: (apiUrl: string | undefined) => Record<string, unknown>
}
