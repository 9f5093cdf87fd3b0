import * as v from 'valibot'
import { says } from '#base/faults.ts'

/** After this many faults the rest of a list is not checked, because a file may have millions of them. */
export const ENOUGH_FAULTS = 1000

/** Returns the schema of a list of items that is empty if it is left out. Checking stops once the list has enough faults. */
export function arrayOf<const Item extends v.GenericSchema>(item: Item) {
  return v.optional(endingEarly(v.array(item, says('array'))), () => [])
}

/** Returns the schema of a list of at most `max` items. The count is checked before any item. */
export function listUpTo<const Item extends v.GenericSchema>(item: Item, max: number, min = 0) {
  const message = says('list', { min, max })
  return v.pipe(
    v.custom<unknown[]>(value => Array.isArray(value) && value.length >= min && value.length <= max, message),
    endingEarly(v.array(item, message)),
  )
}

/** Makes valibot stop early. On its own it checks every item or stops at the first wrong one. */
function endingEarly<List extends v.GenericSchema & { item: v.GenericSchema }>(list: List): List {
  const run: v.GenericSchema['~run'] = (dataset, { ...config }) => {
    let found = 0
    const look: v.GenericSchema['~run'] = (item, itsConfig) => {
      const result = list.item['~run'](item, itsConfig)
      found += result.issues?.length ?? 0
      if (found >= ENOUGH_FAULTS) config.abortEarly = true
      return result
    }
    return { ...list, item: { ...list.item, '~run': look } }['~run'](dataset, config)
  }
  return { ...list, '~run': run }
}
