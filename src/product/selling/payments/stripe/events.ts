import { DAY, HOUR, MINUTE, SECOND } from '../../time.ts'
import type { StripeAccess } from '../connections.ts'
import type { StripeAccounts } from './access.ts'
import { EVENT_TYPES, type Happening, readHappening } from './happenings.ts'

/** How far back is read again each time, in seconds: Stripe promises no order, and an event may be listed late. */
const OVERLAP = (15 * MINUTE) / SECOND
/** How far back is read the first time, in seconds. */
const FIRST = (5 * MINUTE) / SECOND
/** For how long Stripe keeps events, in seconds, less a little for the time that reading takes. */
const KEPT = (30 * DAY - HOUR) / SECOND
/** What is read at once of a long absence, in seconds. */
const SLICE = DAY / SECOND
const PAGE = 100

/** A stretch of time, and what happened in it, the oldest first. */
export interface Stretch {
  happenings: Happening[]
  /** Seconds, by Stripe's clock: all before it is read. */
  until: number
  /** Older than what Stripe keeps was not read yet: nobody knows what happened then. */
  hasMissed: boolean
}

/**
 * Reads the events of an account since they were last read, a stretch at a time. https://docs.stripe.com/api/events/list
 *
 * @throws ProcessorFault
 */
export async function* readEvents(
  accounts: StripeAccounts,
  { accountId, readUntil }: Pick<StripeAccess, 'accountId' | 'readUntil'>,
): AsyncGenerator<Stretch> {
  const now = Math.floor((await accounts.now(accountId)) / SECOND)
  const hasMissed = readUntil !== undefined && readUntil < now - KEPT
  let from = Math.max((readUntil ?? now - FIRST) - OVERLAP, now - KEPT)
  while (from < now) {
    const until = Math.min(from + SLICE, now)
    // The last stretch has no end: what has just happened is read too.
    const created = until === now ? { gte: from } : { gte: from, lt: until }
    yield { happenings: await listIn(accounts, accountId, created), until, hasMissed }
    from = until
  }
}

async function listIn(
  accounts: StripeAccounts,
  accountId: string,
  created: { gte: number; lt?: number },
): Promise<Happening[]> {
  const newestFirst: Happening[] = []
  let after: string | undefined
  for (;;) {
    const page = await accounts.ask(accountId, stripe =>
      stripe.events.list({
        ...{ created, types: [...EVENT_TYPES], limit: PAGE },
        ...(after && { starting_after: after }),
      }),
    )
    for (const event of page.data) {
      const happening = readHappening(event)
      if (happening !== undefined) newestFirst.push(happening)
    }
    after = page.data.at(-1)?.id
    if (!page.has_more || after === undefined) return newestFirst.reverse()
  }
}
