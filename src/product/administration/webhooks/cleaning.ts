import type { Cleaning } from '#machinery/db/cleaning.ts'
import { deleteOldAttempts } from './all-accounts-store.ts'
import { EVENT_RETENTION } from './outbox.ts'
import { deleteOldDeliveries, deleteOldEvents, hasOldEvents } from './store.ts'

/** An attempt refers to its delivery, and a delivery to its event. So they are deleted in this order. */
export const cleaning: readonly Cleaning[] = [
  {
    name: 'webhook attempts',
    keptFor: EVENT_RETENTION,
    owner: 'instance',
    deleteSome: deleteOldAttempts,
  },
  {
    name: 'webhook deliveries',
    keptFor: EVENT_RETENTION,
    owner: 'account',
    hasOld: hasOldEvents,
    passSome: deleteOldDeliveries,
  },
  {
    name: 'webhook events',
    keptFor: EVENT_RETENTION,
    owner: 'account',
    hasOld: hasOldEvents,
    passSome: deleteOldEvents,
  },
]
