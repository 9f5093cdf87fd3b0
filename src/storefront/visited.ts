import type { IncomingMessage } from 'node:http'
import type { Database } from '../db/port.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import type { Clock } from '../time.ts'
import type { Cookies } from '../web/cookies.ts'

/** What the pages for visitors work with. */
export interface Visited {
  db: Database
  clock: Clock
  clientAddress: (request: IncomingMessage) => string
  /** Counts what is asked for and not there. */
  addresses: AddressLimit
  cookies: Cookies
  /** The address of the service as people reach it, without a slash at its end. */
  baseUrl: string
}
