import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import type { StripeAccess } from '../connections.ts'
import type { StripeAccounts } from './access.ts'
import { EVENT_TYPES, readStripeEvent, type StripeEvent } from './stripe-events.ts'

/** How far back events are read again each time, in seconds. Stripe promises no order, and may list an event late. */
const OVERLAP = (15 * MINUTE) / SECOND
/** How far back events are read the first time, in seconds. */
const FIRST = (5 * MINUTE) / SECOND
/** For how long Stripe keeps events, in seconds, less a little for the time that reading takes. */
const KEPT = (30 * DAY - HOUR) / SECOND
/** How much of a long absence is read at once, in seconds. */
const SLICE = DAY / SECOND
const PAGE = 100

/** A stretch of time with the events in it, the oldest first. */
export interface Stretch {
  events: StripeEvent[]
  /** Everything before this is read, in seconds by Stripe's clock. */
  until: number
  /** It is true if events were missed: they are older than Stripe keeps them, and nobody has read them. */
  hasMissed: boolean
}

/**
 * Reads the events of an account since the last reading, a stretch at a time. https://docs.stripe.com/api/events/list
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
    // The last stretch has no end, so that the newest events are read too.
    const created = until === now ? { gte: from } : { gte: from, lt: until }
    yield { events: await listIn(accounts, accountId, created), until, hasMissed }
    from = until
  }
}

async function listIn(
  accounts: StripeAccounts,
  accountId: string,
  created: { gte: number; lt?: number },
): Promise<StripeEvent[]> {
  const newestFirst: StripeEvent[] = []
  let after: string | undefined
  for (;;) {
    const page = await accounts.ask(accountId, stripe =>
      stripe.events.list({
        ...{ created, types: [...EVENT_TYPES], limit: PAGE },
        ...(after && { starting_after: after }),
      }),
    )
    for (const event of page.data) {
      const stripeEvent = readStripeEvent(event)
      if (stripeEvent !== undefined) newestFirst.push(stripeEvent)
    }
    after = page.data.at(-1)?.id
    if (!page.has_more || after === undefined) return newestFirst.reverse()
  }
}
