import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { WINDOW } from './pacing.ts'
import * as turnStore from './pacing-store.ts'
import * as store from './store.ts'

/** How long a mail is kept after it has ended, in milliseconds. */
export const MAILS_KEPT = 365 * DAY

export const cleaning: readonly Cleaning[] = [
  {
    name: 'what was mailed to whom',
    keptFor: MAILS_KEPT,
    owner: 'account',
    hasOld: store.hasOlder,
    deleteSome: store.deleteOlder,
  },
  {
    name: 'turns of mails',
    keptFor: WINDOW,
    owner: 'account',
    hasOld: turnStore.hasOlder,
    deleteSome: turnStore.deleteOlder,
  },
]
