import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import type { Cursors } from '#machinery/db/cursors.ts'
import type { Database } from '#machinery/db/port.ts'
import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type * as http from '#machinery/http/face.ts'
import type { Holding, MemoryBudget } from '#machinery/http/memory-budget.ts'
import type { Caller } from '#product/administration/keys/rules.ts'
import type { Received } from './route.ts'

/** The stages of the pipeline use these services. */
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

/** Each stage adds its findings about the request here, for the stages after it. */
export interface State extends http.State {
  caller: Caller
  holding: Holding
  received: Received
  rawBody: Buffer
  idempotencyKey: string | undefined
}

export type Context = http.Context<State>
export type Stage = http.Stage<State>

/** Reserves memory for an answer before the write commits. Throws if there is no room, which undoes the write. */
export function holdAnswer(holding: Holding, json: string): string {
  holding.keep('answer', Buffer.byteLength(json))
  return json
}
