import type { First } from '../contract.ts'
import type { State } from '../state.ts'
import type { Texts } from '../texts/texts.ts'
import { when } from './parts.tsx'

/** Returns the sentence for a reason. */
export function reasonIn(texts: Texts, reason: string): string {
  return texts.reasons[(reason in texts.reasons ? reason : 'other') as keyof Texts['reasons']]
}

/** Returns when a ticket was admitted, and where. */
export function firstIn(texts: Texts, state: State, { at, door }: First): string {
  return door === null ? texts.usedWhen(when(state, at)) : texts.usedAt(when(state, at), door)
}
