import type * as v from 'valibot'
import type { Reader } from '../db/batches.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { uuid } from '../fields.ts'
import type { Scope } from '../keys/scopes.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { field, type Written } from '../resource.ts'
import type { Cursors } from './cursors.ts'

/** The version, which is part of every address of the API: specification section 9. */
export const API_PATH = '/v1'

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

/** What a path names, as its schema gives it: of `/events/{id}` it is `id`, a UUID in lower case. */
export type Params<Path extends string> = Readonly<Record<NameIn<Path>, string>>

/** What a handler gets: everything in it was checked. */
export interface Call<Query, Body, Path extends string = never> {
  accountId: string
  params: Params<Path>
  query: Query
  body: Body
  cursors: Cursors
  /** When the request was read, in milliseconds. */
  receivedAt: number
}

/** What was sent, checked but for the path: its `params` are undefined where it has something that they cannot be. */
export type Received = Omit<Call<unknown, unknown>, 'params'> & {
  params: Readonly<Record<string, string>> | undefined
}

/**
 * What is handed to the handler: when it is its turn, so that an id that nothing can have is refused as one that nothing has.
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
  /** What it may be sent as instead of JSON, with an example of the text. */
  otherTypes?: Readonly<Record<string, string>>
}

/** With a description and examples, for the description. */
export type ParamSchema = v.GenericSchema<string, string>

export const resourceId = field(uuid, 'The id of the resource. One that is no UUID is not found.')

interface Declaration<Path extends string, Query, Body> {
  /** In OpenAPI's form, below the version: `/registrations/{id}`. What it names is in `call.params`. */
  path: Path
  /** Of what the path names. Left out, it is the id of a resource. What a schema refuses is not found. */
  params?: Readonly<Partial<Record<NameIn<Path>, ParamSchema>>>
  operationId: string
  tag: string
  summary: string
  description?: string
  scope: Scope
  answer: Answer
  /** What the handler itself may throw; the codes of the pipeline are added by it. */
  errors: readonly ProblemCode[]
  query?: v.GenericSchema<unknown, Query>
  body?: v.GenericSchema<unknown, Body>
  bodyExample?: unknown
}

export interface ReadDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  handle(tx: ReadTx, call: Call<Query, never, Path>): Promise<object>
}

export interface WriteDeclaration<Path extends string, Body, Prepared = unknown>
  extends Declaration<Path, never, Body> {
  /** How the access log names what is done here, and to what kind of thing. */
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
  /** What the access log keeps of the body beside the outcome. */
  detailsOf?(body: Body): Record<string, unknown>
}

/** An operation that looks through more than one snapshot may: it reads in short pieces, and answers once. */
export interface SearchDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  handle(reader: Reader, call: Call<Query, never, Path>): Promise<object>
}

/** What a report is sent as: pieces of text, or one object as JSON. */
export type Report = { type: string; fileName?: string; chunks: AsyncIterable<string> } | { json: object }

/** An operation that reads too much for one snapshot: it reads in batches, and may send while it reads. */
export interface ReportDeclaration<Path extends string, Query> extends Declaration<Path, Query, never> {
  /** Throws before it answers, so that what is refused gets its status; a failure while sending breaks the connection. */
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

/** Declares an operation that looks through much, in short reads. */
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

/** What the path names, in its order. */
export function paramsOf({ path, params = {} }: Route): { name: string; schema: ParamSchema }[] {
  const declared: Readonly<Record<string, ParamSchema>> = params
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    schema: declared[name] ?? resourceId,
  }))
}

/** Where the row of the specification has 400 for parameters, unknown ones are refused; elsewhere they are ignored. */
export function refusesUnknownQuery(route: Route): boolean {
  return route.query !== undefined || route.body !== undefined
}

/** A path that everybody may read, with its one answer. */
export interface PublicPage {
  path: string
  type: string
  /** The description tells of those that it knows. */
  headers: Readonly<Record<string, string>>
  /** The whole of it; made when it is first asked for, and kept. */
  body: () => string
}

/** A declared public page. That it needs no key and may be compressed is said of all of them. */
export interface PublicRoute extends Omit<PublicPage, 'body'> {
  operationId: string
  tag: string
  summary: string
  description: string
  /** The schema is that of its text, or of the JSON that it is. */
  answer: { description: string; schema: Record<string, unknown>; example: unknown }
  body: (server: DescribedServer) => string
}

/** What a public page may tell of the server that it is read from. */
export interface DescribedServer {
  /** Where clients find the API; undefined where nobody has said so. */
  apiUrl: string | undefined
  /** Where it listens. */
  listeningUrl: string
  /** The OpenAPI document. */
  describe: (apiUrl: string | undefined) => Record<string, unknown>
}
