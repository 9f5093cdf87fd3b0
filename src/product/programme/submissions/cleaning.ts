import { DAY } from '#base/time.ts'
import type { AccountCleaning, Cleaning } from '#machinery/db/cleaning.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { discardOfSubmission } from '#product/programme/files/removal.ts'
import * as cleaningStore from './cleaning-store.ts'
import * as store from './store.ts'

/** How long after the end of the call that is kept which was never sent. */
const UNSENT = 90 * DAY
/** How long it is kept if nobody knows that the person of that e-mail has begun it. */
const UNCONFIRMED = 7 * DAY
/** One write takes so many drafts, each of which has 64 kB at most. */
const MOST = 50
const MOST_PEOPLE = 200

function unsent(name: string, keptFor: number, unconfirmed: boolean): AccountCleaning {
  return {
    ...{ name, keptFor, owner: 'account' },
    hasOld: async (tx: ReadTx, before: number) =>
      (await cleaningStore.listUnsent(tx, before, { unconfirmed, most: 1 })).length > 0,
    deleteSome: async (tx: WriteTx, before: number) => {
      const rows = await cleaningStore.listUnsent(tx, before, { unconfirmed, most: MOST })
      for (const { id, event_id } of rows) {
        await discardOfSubmission(tx, event_id, id)
        await store.remove(tx, id)
      }
      return rows.length
    },
  }
}

/** The first two leave people without anything, whom the third removes. Their files are loose, and go as other loose ones do. */
export const cleaning: readonly Cleaning[] = [
  unsent('abstracts that nobody confirmed and that were never sent', UNCONFIRMED, true),
  unsent('abstracts that were never sent', UNSENT, false),
  {
    name: 'people who have submitted nothing',
    keptFor: UNCONFIRMED,
    owner: 'account',
    hasOld: async (tx, before) => (await cleaningStore.listIdle(tx, before, 1)).length > 0,
    deleteSome: async (tx, before) => {
      const rows = await cleaningStore.listIdle(tx, before, MOST_PEOPLE)
      for (const { id } of rows) await store.removeSubmitter(tx, id)
      return rows.length
    },
  },
]
