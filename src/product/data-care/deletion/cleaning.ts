import { HOUR } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { listMarkedBefore } from '#product/catalog/events/deleting.ts'
import { deleteSomeRows, NOTHING_YET } from './delete-rows.ts'

/** A job takes minutes at most. After this time there is none that still deletes the event. */
const DELETED_WITHIN = HOUR

/** Deletes events whose deletion no job goes on with, such as one that a fault has ended. */
export const cleaning: readonly Cleaning[] = [
  {
    name: 'events that are being deleted',
    keptFor: DELETED_WITHIN,
    owner: 'account',
    hasOld: async (tx, before) => (await listMarkedBefore(tx, before)).length > 0,
    deleteSome: async (tx, before) => {
      const [eventId] = await listMarkedBefore(tx, before)
      if (eventId === undefined) return 0
      let progress = NOTHING_YET
      let deleted = 0
      // The time may be up before a row was found.
      while (deleted === 0) {
        progress = await deleteSomeRows(tx, eventId, progress, performance.now() + tx.batchTime)
        const { gone, isFinished } = progress
        deleted = Object.values(gone).reduce((sum, count) => sum + count, isFinished ? 1 : 0)
      }
      return deleted
    },
  },
]
