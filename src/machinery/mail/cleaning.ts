import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { WINDOW } from './pacing.ts'
import * as turnStore from './pacing-store.ts'
import * as store from './store.ts'

export const cleaning: readonly Cleaning[] = [
  {
    name: 'what was mailed to whom',
    keptFor: 365 * DAY,
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
