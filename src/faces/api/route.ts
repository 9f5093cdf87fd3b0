import type * as v from 'valibot'
import type { Reader } from '../db/batches.ts'
import type { Cursors } from '../db/cursors.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { uuid } from '../fields.ts'
import type { Streamed } from '../http/streamed.ts'
import type { Scope } from '../keys/scopes.ts'
import { type ApiProblemCode, Problem } from '../problem.ts'
import { field, type Written } from '../resource.ts'

/** The version, which is part of every address of the API: specification section 9. */
export const API_PATH = '/v1'

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

/** The parameters of a path, as its schema returns them: `/events/{id}` has `id`, a UUID in lower case. */
export type Params<Path extends string> = Readonly<Record<NameIn<Path>, string>>

/** The input of a handler: everything in it is validated. */
export interface Call<Query, Body, Path extends string = never> {
  accountId: string
  params: Params<Path>
  query: Query
  body: Body
  cursors: Cursors
  /** When the request was read, in milliseconds. */
  receivedAt: number
}

/** A request, validated but for its path: `params` is undefined if the path does not fit its schema. */
export type Received = Omit<Call<unknown, unknown>, 'params'> & {
  params: Readonly<Record<string, string>> | undefined
}

/**
 * The input of the handler. Called only at the handler's turn, so that an impossible id is refused exactly like an unknown one.
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
  /** Other media types than JSON, each with an example. */
  otherTypes?: Readonly<Record<string, string>>
}

/** With a text and examples, for the OpenAPI description. */
export type ParamSchema = v.GenericSchema<string, string>

export const resourceId = field(uuid, 'The id of the resource. One that is no UUID is not found.')

interface Declaration<Path extends string, Query, Body> {
  /** In OpenAPI's form, below the version: `/registrations/{id}`. Its parameters are in `call.params`. */
  path: Path
  /** The schema of the path's parameters; by default the id of a resource. A value that it refuses is a 404. */
  params?: Readonly<Partial<Record<NameIn<Path>, ParamSchema>>>
  operationId: string
  tag: string
  summary: string
  description?: string
  scope: Scope
  answer: Answer
  /** The codes that the handler itself may throw; the pipeline adds its own. */
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
  /** The names of the action and of the kind of its target in the access log. */
  action: string
  target: string
  /**
   * Works out, before the write, what `handle` else does inside it. It decides nothing: where it fails, `handle` meets the same
   * in its turn.
   */
  prepare?(
    reader: Reader,
    asked: Pick<Call<never, Body>, 'accountId' | 'body'>,
  ): Promise<Prepared | undefined>
  handle(tx: WriteTx, call: Call<never, Body, Path>, prepared: Prepared | undefined): Promise<Written<object>>
  /** The id that the access log names, from the resource; else the id of the path or the Problem's subject. */
  targetOf?(resource: never): string
  /** The parts of the body that the access log keeps, beside the outcome. */
  detailsOf?(body: Body): Record<string, unknown>
}

/** An operation that searches more than one snapshot may read: it reads in short pieces, and answers once. */
export interface SearchDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  handle(reader: Reader, call: Call<Query, never, Path>): Promise<object>
}

/** The content of a report: pieces of text, or one object as JSON. */
export type Report = Streamed | { json: object }

/** An operation that reads too much for one snapshot: it reads in batches, and may send while it reads. */
export interface ReportDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  /** Throws before it answers, so that a refusal gets its status; a failure while sending breaks the connection. */
  handle(reader: Reader, call: Call<Query, never, Path>): Promise<Report>
}

/** A declared operation, with the types of its input forgotten: the pipeline has checked them by its schemas. */
export type Route =
  | (ReadDeclaration<string, unknown> & { kind: 'read'; method: 'GET' })
  | (SearchDeclaration<string, unknown> & { kind: 'search'; method: 'GET' })
  | (ReportDeclaration<string, unknown> & { kind: 'report'; method: 'GET' })
  | (WriteDeclaration<string, unknown> & { kind: 'write'; method: 'POST' })

export type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>

/** Declares an operation that reads, in one snapshot. */
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

/** The names of the path's parameters, in their order. */
export function paramsOf({ path, params = {} }: Route): { name: string; schema: ParamSchema }[] {
  const declared: Readonly<Record<string, ParamSchema>> = params
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    schema: declared[name] ?? resourceId,
  }))
}

/** Unknown query parameters are refused if the specification's row has 400 for parameters, and else ignored. */
export function refusesUnknownQuery(route: Route): boolean {
  return route.query !== undefined || route.body !== undefined
}

/** A public path, with its one answer. */
export interface PublicPage {
  path: string
  type: string
  /** Headers of the answer; the OpenAPI description lists the ones it knows. */
  headers: Readonly<Record<string, string>>
  /** The whole text; made at the first request, and kept. */
  body: () => string
}

/** A declared public page. The description adds for all of them that they need no key and may be compressed. */
export interface PublicRoute extends Omit<PublicPage, 'body'> {
  operationId: string
  tag: string
  summary: string
  description: string
  /** The schema describes its text, or its JSON. */
  answer: { description: string; schema: Record<string, unknown>; example: unknown }
  body: (server: DescribedServer) => string
}

/** The facts about the server that a public page may show. */
export interface DescribedServer {
  /** The address that clients use; undefined if it is not set. */
  apiUrl: string | undefined
  /** The address that the server listens on. */
  listeningUrl: string
  /** The OpenAPI document. */
  describe: (apiUrl: string | undefined) => Record<string, unknown>
}
