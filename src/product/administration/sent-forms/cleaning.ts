import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { deleteOlder, hasOlder } from './store.ts'

export const cleaning: readonly Cleaning[] = [
  {
    name: 'receipts of forms',
    // Nobody sends a form again after seven days.
    keptFor: 7 * DAY,
    owner: 'account',
    hasOld: hasOlder,
    deleteSome: deleteOlder,
  },
]
