import type { Cleaning } from '#machinery/db/cleaning.ts'
import { eraseExpired, hasExpired } from './retention.ts'

export const cleaning: readonly Cleaning[] = [
  {
    name: 'people of receipts',
    // Each account chooses for how many of its calendar years it keeps them.
    keptFor: 0,
    owner: 'account',
    hasOld: hasExpired,
    deleteSome: (tx, now, { rows }) => eraseExpired(tx, now, rows),
  },
]
