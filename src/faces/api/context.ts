import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Cursors } from '../db/cursors.ts'
import type { Database } from '../db/port.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import type * as http from '../http/face.ts'
import type { Holding, MemoryBudget } from '../http/memory-budget.ts'
import type { Caller } from '../keys/rules.ts'
import type { Clock } from '../time.ts'
import type { Received } from './route.ts'

/** The services that the stages of the pipeline use. */
export interface Services {
  db: Database
  clock: Clock
  log: Logger
  cursors: Cursors
  memory: MemoryBudget
  clientAddress: (request: IncomingMessage) => string
  /** Counts requests to public paths. */
  addresses: AddressLimit
}

/** The findings of the stages about a request, each for the stages after it. */
export interface State extends http.State {
  caller: Caller
  holding: Holding
  received: Received
  rawBody: Buffer
  idempotencyKey: string | undefined
}

export type Context = http.Context<State>
export type Stage = http.Stage<State>

/** Reserves memory for an answer before the write commits: without room, the write is undone. */
export function holdAnswer(holding: Holding, json: string): string {
  holding.keep('answer', Buffer.byteLength(json))
  return json
}
