import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { eraseAbandoned, forgetNetworks, hasAbandoned, hasNetworks } from './erasing.ts'

/** How many orders one write makes anonymous. Each has up to 20 tickets. */
const ABANDONED_A_WRITE = 5

export const cleaning: readonly Cleaning[] = [
  {
    name: 'networks of orders',
    // No order waits that long for somebody to say that it is wanted. The networks are hashed.
    keptFor: 90 * DAY,
    owner: 'account',
    hasOld: hasNetworks,
    deleteSome: (tx, before, { rows }) => forgetNetworks(tx, before, rows),
  },
  {
    name: 'people of orders that came to nothing',
    keptFor: 30 * DAY,
    owner: 'account',
    hasOld: hasAbandoned,
    deleteSome: (tx, before) => eraseAbandoned(tx, before, ABANDONED_A_WRITE),
  },
]
