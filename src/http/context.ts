import type { IncomingMessage } from 'node:http'
import type { ParameterizedContext } from 'koa'
import type { Logger } from 'pino'
import type { Database } from '../db/port.ts'
import type { HealthDetail } from '../health.ts'
import type { Caller } from '../keys/rules.ts'
import type { Problem } from '../problem.ts'
import type { Clock } from '../time.ts'
import type { Cursors } from './cursors.ts'
import { type Holding, type MemoryBudget, SMALL } from './memory-budget.ts'
import type { Call, Route } from './route.ts'
import { bodyOf } from './sending.ts'

/** What the stages of the pipeline work with. */
export interface Services {
  db: Database
  clock: Clock
  log: Logger
  cursors: Cursors
  memory: MemoryBudget
  clientAddress: (request: IncomingMessage) => string
  /** Whether the database can be written, for whoever watches over the service. */
  isHealthy: () => Promise<boolean>
  healthDetails: () => readonly HealthDetail[]
  observe?: RequestObserver | undefined
}

/** A request that was answered. */
export interface AnsweredRequest {
  /** Null where what came was not HTTP. */
  method: string | null
  /** The path as it is declared, never as it was asked for; null where nothing is. */
  route: string | null
  status: number
  /** Until the answer begins, in milliseconds. */
  duration: number
}

export type RequestObserver = (request: AnsweredRequest) => void

/** A path that everybody may read, with its one answer. */
export interface PublicRoute {
  path: string
  type: string
  headers: Readonly<Record<string, string>>
  /** The whole body; made when it is first asked for, and kept. */
  body: () => string
}

/** Where it is asked how the service is: beside the API, and not in its description. */
export const healthRoute = { path: '/healthz' } as const

/** What the stages find out about a request, each for those after it. */
export interface State {
  requestId: string
  route: Route | PublicRoute | typeof healthRoute | undefined
  caller: Caller
  holding: Holding
  call: Call<unknown, unknown>
  rawBody: Buffer
  idempotencyKey: string | undefined
  problem: Problem | undefined
}

export type Context = ParameterizedContext<State>
export type Stage = (context: Context, next: () => Promise<unknown>) => Promise<unknown>

export function healthBody(healthy: boolean, details: readonly HealthDetail[]): string {
  const status = healthy ? 'ok' : 'unavailable'
  return JSON.stringify(details.length === 0 ? { status } : { status, details })
}

export function answer(context: Context, status: number, body: string): void {
  context.status = status
  context.type = 'application/json; charset=utf-8'
  if (body.length <= SMALL) {
    context.body = body
    return
  }
  const bytes = Buffer.from(body)
  context.body = bodyOf(context.res, bytes)
  context.length = bytes.length
}
