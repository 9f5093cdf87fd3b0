import type { IncomingMessage } from 'node:http'
import type { ParameterizedContext } from 'koa'
import type { Logger } from 'pino'
import type { Database } from '../db/port.ts'
import { type Holding, type MemoryBudget, SMALL } from '../http/memory-budget.ts'
import type { RequestObserver } from '../http/observer.ts'
import { bodyOf } from '../http/sending.ts'
import type { Caller } from '../keys/rules.ts'
import type { HealthService, healthRoute } from '../ops/health.ts'
import type { Problem } from '../problem.ts'
import type { Clock } from '../time.ts'
import type { Cursors } from './cursors.ts'
import type { Received, Route } from './route.ts'

/** What the stages of the pipeline work with. */
export interface Services extends HealthService {
  db: Database
  clock: Clock
  log: Logger
  cursors: Cursors
  memory: MemoryBudget
  clientAddress: (request: IncomingMessage) => string
  observe?: RequestObserver | undefined
}

/** A path that everybody may read, with its one answer. */
export interface PublicRoute {
  path: string
  type: string
  headers: Readonly<Record<string, string>>
  /** The whole body; made when it is first asked for, and kept. */
  body: () => string
}

/** What the stages find out about a request, each for those after it. */
export interface State {
  requestId: string
  route: Route | PublicRoute | typeof healthRoute | undefined
  caller: Caller
  holding: Holding
  received: Received
  rawBody: Buffer
  idempotencyKey: string | undefined
  problem: Problem | undefined
}

export type Context = ParameterizedContext<State>
export type Stage = (context: Context, next: () => Promise<unknown>) => Promise<unknown>

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

/** Makes room for an answer, before anybody is told of it: what has no room was never done. */
export function holdAnswer(holding: Holding, json: string): string {
  holding.keep('answer', Buffer.byteLength(json))
  return json
}
