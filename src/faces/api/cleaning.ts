import type { Cleaning } from '#machinery/db/cleaning.ts'
import { deleteExpired, IDEMPOTENCY_RETENTION } from './idempotency.ts'

export const cleaning: readonly Cleaning[] = [
  {
    name: 'idempotent answers',
    keptFor: IDEMPOTENCY_RETENTION,
    owner: 'instance',
    deleteSome: deleteExpired,
  },
]
