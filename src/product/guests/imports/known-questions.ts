import { toNfc } from '#base/words.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { Target } from './columns.ts'

const toKey = (text: string) => toNfc(text).toLowerCase()

/** Returns the columns of an export with the answers to questions that the event asks already under the keys of these. */
export async function toKnownQuestions(
  tx: ReadTx,
  eventId: string,
  headers: readonly string[],
  columns: readonly Target[],
): Promise<Target[]> {
  const keys = new Map((await questions.list(tx, eventId)).map(({ key, label }) => [toKey(label), key]))
  const taken = new Set<Target>(columns)
  return columns.map((target, at): Target => {
    const key = target.startsWith('answer:') ? keys.get(toKey(headers[at] ?? '')) : undefined
    if (key === undefined || taken.has(`answer:${key}`)) return target
    taken.add(`answer:${key}`)
    return `answer:${key}`
  })
}
