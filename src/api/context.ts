import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Database } from '../db/port.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import type * as http from '../http/face.ts'
import type { Holding, MemoryBudget } from '../http/memory-budget.ts'
import type { Caller } from '../keys/rules.ts'
import type { Clock } from '../time.ts'
import type { Cursors } from './cursors.ts'
import type { Received } from './route.ts'

/** What the stages of the pipeline work with. */
export interface Services {
  db: Database
  clock: Clock
  log: Logger
  cursors: Cursors
  memory: MemoryBudget
  clientAddress: (request: IncomingMessage) => string
  /** Counts requests to what everybody may read. */
  addresses: AddressLimit
}

/** What the stages find out about a request, each for those after it. */
export interface State extends http.State {
  caller: Caller
  holding: Holding
  received: Received
  rawBody: Buffer
  idempotencyKey: string | undefined
}

export type Context = http.Context<State>
export type Stage = http.Stage<State>

/** Makes room for an answer, before anybody is told of it: what has no room was never done. */
export function holdAnswer(holding: Holding, json: string): string {
  holding.keep('answer', Buffer.byteLength(json))
  return json
}
