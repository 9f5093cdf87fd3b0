import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { eraseAbandoned, forgetNetworks, hasAbandoned, hasNetworks } from './erasing.ts'

/** How many orders one write makes anonymous. Each has up to 20 tickets. */
const ABANDONED_A_WRITE = 5

/** How long an unverified order names the networks that it came from, in milliseconds. They are hashed. */
export const NETWORKS_KEPT = 90 * DAY
/** How long an order that came to nothing names its people, in milliseconds. */
export const ABANDONED_KEPT = 30 * DAY

export const cleaning: readonly Cleaning[] = [
  {
    name: 'networks of orders',
    // No order waits that long for somebody to say that it is wanted.
    keptFor: NETWORKS_KEPT,
    owner: 'account',
    hasOld: hasNetworks,
    deleteSome: (tx, before, { rows }) => forgetNetworks(tx, before, rows),
  },
  {
    name: 'people of orders that came to nothing',
    keptFor: ABANDONED_KEPT,
    owner: 'account',
    hasOld: hasAbandoned,
    deleteSome: (tx, before) => eraseAbandoned(tx, before, ABANDONED_A_WRITE),
  },
]
