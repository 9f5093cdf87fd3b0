import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import { deleteOlder, hasOlder } from './store.ts'

/** @param days whoever runs the server chooses this number */
export function cleaning(days: number): readonly Cleaning[] {
  return [
    {
      name: 'entries of the access log',
      keptFor: days * DAY,
      owner: 'account',
      hasOld: hasOlder,
      deleteSome: deleteOlder,
    },
  ]
}
