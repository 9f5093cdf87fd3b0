import type { Cleaning } from '#machinery/db/cleaning.ts'
import { deleteOlder, hasOlder } from './door-change-store.ts'
import { CHANGES_KEPT } from './door-changes.ts'

export const cleaning: readonly Cleaning[] = [
  {
    name: 'changes that doors have caught up with',
    keptFor: CHANGES_KEPT,
    owner: 'account',
    hasOld: hasOlder,
    deleteSome: (tx, before, { rows }) => deleteOlder(tx, before, rows),
  },
]
