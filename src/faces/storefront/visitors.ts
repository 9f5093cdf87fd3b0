import type { IncomingMessage } from 'node:http'
import type { Database } from '../db/port.ts'
import type { Clock } from '../time.ts'
import * as users from '../users/rules.ts'
import * as sessions from '../users/sessions.ts'
import { type Cookies, SESSION_COOKIE } from '../web/cookies.ts'

interface VisitorsOptions {
  db: Database
  clock: Clock
  cookies: Cookies
}

/** Tells members of an account, who see what is not open to everybody, from other visitors. */
export class Visitors {
  readonly #options: VisitorsOptions

  constructor(options: VisitorsOptions) {
    this.#options = options
  }

  /** Whether somebody is signed in here: most visitors are not, and nothing is asked for them. */
  maySign(request: IncomingMessage): boolean {
    return this.#options.cookies.read(request, SESSION_COOKIE) !== undefined
  }

  /** Whether who asks is a member of the account who may see the event. */
  async isMember(request: IncomingMessage, accountId: string, eventId: string): Promise<boolean> {
    const { db, clock, cookies } = this.#options
    const token = cookies.read(request, SESSION_COOKIE)
    if (token === undefined) return false
    return db.read(async tx => {
      const session = await sessions.authenticate(tx, token, clock())
      if (session === undefined) return false
      const memberships = await users.listMemberships(tx, session.user.id)
      const found = memberships.find(({ account }) => account.id === accountId)
      return found !== undefined && (found.event_ids === null || found.event_ids.includes(eventId))
    })
  }
}
