import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import * as store from './store.ts'

/** How long a file, and what was read of it, waits for somebody to have its lines matched. */
const UNDECIDED = 7 * DAY
/** How long an unmatched or ignored line names people, in milliseconds. */
export const UNMATCHED = 90 * DAY

const ROWS_AT_ONCE = 200
const PARTS_AT_ONCE = 8

/** Matched lines stay, as bookkeeping. Of the others, only what identifies them again stays. */
export const cleaning: readonly Cleaning[] = [
  {
    name: 'files of a bank that nobody had matched',
    keptFor: UNDECIDED,
    owner: 'account',
    hasOld: store.hasOldParts,
    deleteSome: (tx, before) => store.deleteOldParts(tx, before, PARTS_AT_ONCE),
  },
  {
    name: 'lines of such files',
    keptFor: UNDECIDED,
    owner: 'account',
    hasOld: store.hasAbandoned,
    deleteSome: (tx, before) => store.deleteAbandoned(tx, before, ROWS_AT_ONCE),
  },
  {
    name: 'people of lines that came to nothing',
    keptFor: UNMATCHED,
    owner: 'account',
    hasOld: store.hasUnerased,
    deleteSome: async (tx, before) => store.eraseOld(tx, { before, limit: ROWS_AT_ONCE }, await tx.now()),
  },
]
