import type { CopyAnswer } from './contract.ts'
import type { CopyHead } from './store.ts'

/** Returns what stands above the tickets after an answer. What only a whole copy brings stays as changes come. */
export function headOf(answer: CopyAnswer, former: CopyHead | undefined, heardAt: number): CopyHead {
  const { epoch, cursor, now, event, keys, types } = answer
  const { other_events = former?.other_events, logo = former?.logo } = answer
  return {
    ...{ epoch, cursor, now, event, keys, types, heardAt },
    ...(other_events && { other_events }),
    ...(logo && { logo }),
  }
}
