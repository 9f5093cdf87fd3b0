import { newUuid } from '#base/ids.ts'
import type { Topic } from './schemas.ts'

/**
 * Returns the choices that stand behind a new list of names. A name that was there keeps its id, and so do the abstracts that have
 * it. Where a list of the same length has another name in a place, what stood there was renamed. What is left out retires.
 */
export function mergeChoices<Of extends Topic>(
  was: readonly Of[],
  wanted: readonly Omit<Of, 'id' | 'retired'>[],
): Of[] {
  const before = was.filter(({ retired }) => retired === undefined)
  const key = ({ name }: { name: string }) => name.toLowerCase()
  const names = new Set(wanted.map(key))
  const known = new Map(was.map(choice => [key(choice), choice]))
  const isSameLength = before.length === wanted.length
  const kept = wanted.map((choice, at) => {
    const there = before[at]
    const isRenamed = isSameLength && there !== undefined && !names.has(key(there))
    const old = known.get(key(choice)) ?? (isRenamed ? there : undefined)
    return { ...choice, id: old?.id ?? newUuid() } as Of
  })
  const ids = new Set(kept.map(({ id }) => id))
  const left = was.filter(({ id }) => !ids.has(id)).map(choice => ({ ...choice, retired: true as const }))
  return [...kept, ...left]
}
