import type * as v from 'valibot'
import type { Reader } from '../db/batches.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import type { Scope } from '../keys/scopes.ts'
import type { ProblemCode } from '../problem.ts'
import type { Written } from '../resource.ts'
import type { Cursors } from './cursors.ts'

/** What a handler gets: everything in it was checked. */
export interface Call<Query, Body> {
  accountId: string
  /** The UUID of the path, in lower case; empty, and so not found, where the path has none or something else. */
  id: string
  query: Query
  body: Body
  cursors: Cursors
  /** When the request was read, in milliseconds. */
  receivedAt: number
}

export interface Answer {
  status: 200 | 201
  description: string
  schema: v.GenericSchema
  example: unknown
  /** What it may be sent as instead of JSON, with an example of the text. */
  otherTypes?: Readonly<Record<string, string>>
}

interface Declaration<Query, Body> {
  /** In OpenAPI's form, below the version: `/registrations/{id}`. */
  path: string
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

export interface ReadDeclaration<Query> extends Declaration<Query, never> {
  handle(tx: ReadTx, call: Call<Query, never>): Promise<object>
}

export interface WriteDeclaration<Body> extends Declaration<never, Body> {
  /** How the access log names what is done here, and to what kind of thing. */
  action: string
  target: string
  handle(tx: WriteTx, call: Call<never, Body>): Promise<Written<object>>
  /** The id that the access log names, from the resource; else the id of the path or the Problem's subject. */
  targetOf?(resource: never): string
  /** What the access log keeps of the body beside the outcome. */
  detailsOf?(body: Body): Record<string, unknown>
}

/** An operation that looks through more than one snapshot may: it reads in short pieces, and answers once. */
export interface SearchDeclaration<Query> extends Declaration<Query, never> {
  handle(reader: Reader, call: Call<Query, never>): Promise<object>
}

/** What a report is sent as: pieces of text, or one object as JSON. */
export type Report = { type: string; fileName?: string; chunks: AsyncIterable<string> } | { json: object }

/** An operation that reads too much for one snapshot: it reads in batches, and may send while it reads. */
export interface ReportDeclaration<Query> extends Declaration<Query, never> {
  /** Throws before it answers, so that what is refused gets its status; a failure while sending breaks the connection. */
  handle(reader: Reader, call: Call<Query, never>): Promise<Report>
}

/** A declared operation, with the types of its input forgotten: the pipeline has checked them by its schemas. */
export type Route =
  | (ReadDeclaration<unknown> & { kind: 'read'; method: 'GET' })
  | (SearchDeclaration<unknown> & { kind: 'search'; method: 'GET' })
  | (ReportDeclaration<unknown> & { kind: 'report'; method: 'GET' })
  | (WriteDeclaration<unknown> & { kind: 'write'; method: 'POST' })

export type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>

/** Declares an operation that reads, in one snapshot. */
export function readRoute<Query = unknown>(declaration: ReadDeclaration<Query>): Route {
  return { kind: 'read', method: 'GET', ...declaration } as Route
}

/** Declares an operation that writes, in one transaction with its idempotent answer and its access log entry. */
export function writeRoute<Body = unknown>(declaration: WriteDeclaration<Body>): Route {
  return { kind: 'write', method: 'POST', ...declaration } as Route
}

/** Declares an operation that looks through much, in short reads. */
export function searchRoute<Query = unknown>(declaration: SearchDeclaration<Query>): Route {
  return { kind: 'search', method: 'GET', ...declaration } as Route
}

/** Declares an operation that reads in batches. */
export function reportRoute<Query = unknown>(declaration: ReportDeclaration<Query>): Route {
  return { kind: 'report', method: 'GET', ...declaration } as Route
}

/** Where the row of the specification has 400 for parameters, unknown ones are refused; elsewhere they are ignored. */
export function refusesUnknownQuery(route: Route): boolean {
  return route.query !== undefined || route.body !== undefined
}
