import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { removeLoose, removeReplaced } from './removal.ts'
import * as store from './store.ts'

/** How long pieces wait for the rest of their file. */
const LOOSE = DAY
/** How long a file is kept once another has its place. */
const REPLACED = 30 * DAY

/** The first makes the files loose that the second removes. */
export const cleaning: readonly Cleaning[] = [
  {
    name: 'files of submissions that were replaced',
    keptFor: REPLACED,
    owner: 'account',
    hasOld: store.hasReplaced,
    deleteSome: removeReplaced,
  },
  {
    name: 'pieces of files that never became whole',
    keptFor: LOOSE,
    owner: 'account',
    hasOld: async (tx, before) => (await store.listLoose(tx, before, 1)).length > 0,
    deleteSome: removeLoose,
  },
]
