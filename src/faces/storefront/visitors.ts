import type { IncomingMessage } from 'node:http'
import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { type Cookies, SESSION_COOKIE } from '#machinery/web/cookies.ts'
import { may, type Permission } from '#product/administration/users/roles.ts'
import * as users from '#product/administration/users/rules.ts'
import type { Membership } from '#product/administration/users/schemas.ts'
import * as sessions from '#product/administration/users/sessions.ts'

interface VisitorsOptions {
  db: Database
  clock: Clock
  cookies: Cookies
}

/** Distinguishes members of an account, who see more than everybody, from other visitors. */
export class Visitors {
  readonly #options: VisitorsOptions

  constructor(options: VisitorsOptions) {
    this.#options = options
  }

  /** Returns whether the visitor may be signed in here. Most visitors are not, and cause no read. */
  maySign(request: IncomingMessage): boolean {
    return this.#options.cookies.read(request, SESSION_COOKIE) !== undefined
  }

  /** Returns whether the visitor is a member of the account who may see the event. */
  async isMember(request: IncomingMessage, accountId: string, eventId: string): Promise<boolean> {
    return (await this.#findMember(request, accountId, eventId)) !== undefined
  }

  /** Returns whether the visitor is a member of the account who may do this with the event. */
  async may(
    request: IncomingMessage,
    { accountId, eventId }: { accountId: string; eventId: string },
    permission: Permission,
  ): Promise<boolean> {
    const member = await this.#findMember(request, accountId, eventId)
    return member !== undefined && may(member.role, permission)
  }

  async #findMember(
    request: IncomingMessage,
    accountId: string,
    eventId: string,
  ): Promise<Membership | undefined> {
    const { db, clock, cookies } = this.#options
    const token = cookies.read(request, SESSION_COOKIE)
    if (token === undefined) return undefined
    return db.read(INSTANCE, async tx => {
      const session = await sessions.authenticate(tx, token, clock())
      if (session === undefined) return undefined
      const memberships = await users.listMemberships(tx, session.user.id)
      const found = memberships.find(({ account }) => account.id === accountId)
      const sees = found !== undefined && (found.event_ids === null || found.event_ids.includes(eventId))
      return sees ? found : undefined
    })
  }
}
