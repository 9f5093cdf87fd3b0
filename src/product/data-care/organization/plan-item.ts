import { newUuid } from '#base/ids.ts'
import type { Existing } from './existing.ts'

/** Holds an item that is only ever added. An existing one is kept as it is, except for the history of a registration. */
export interface PlannedItem<Item> {
  change: 'created' | 'updated' | 'kept'
  id: string
  item: Item
  /** The fields in which the file differs from the database, which keeps its own. */
  differs: readonly string[]
}

/** Plans such an item. */
export function planItem<Item>(item: Item, existing: Existing | undefined): PlannedItem<Item> {
  if (existing === undefined) return { change: 'created', id: newUuid(), item, differs: [] }
  return { change: 'kept', id: existing.id, item, differs: existing.differs }
}
