import type { Cleaning } from '#machinery/db/cleaning.ts'
import * as links from './link-store.ts'
import * as sessions from './session-store.ts'

/** Sessions and links store their own end. */
const UNTIL_ITS_END = 0

export const cleaning: readonly Cleaning[] = [
  {
    name: 'sessions',
    keptFor: UNTIL_ITS_END,
    owner: 'instance',
    deleteSome: (tx, now, { rows }) => sessions.deleteExpired(tx, now, rows),
  },
  {
    name: 'one-time links',
    keptFor: UNTIL_ITS_END,
    owner: 'instance',
    deleteSome: (tx, now, { rows }) => links.deleteExpired(tx, now, rows),
  },
]
