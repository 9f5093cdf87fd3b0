import type { State } from '../state.ts'
import { textsIn } from '../texts/texts.ts'
import { count } from './parts.tsx'

/** Shows how many scans are only on this phone. */
export function Waiting({ state }: { state: State }) {
  const texts = textsIn(state.language)
  return (
    <span id="waiting" class={state.waiting > 0 ? 'pill warn' : 'pill'} data-count={state.waiting}>
      {state.waiting > 0 ? texts.waiting(count(state, state.waiting)) : texts.waitingNone}
    </span>
  )
}

/** Shows by a shape too whether the server answers. */
export function Network({ state }: { state: State }) {
  const { net } = textsIn(state.language)
  const kind = kindOf(state)
  return (
    <span id="network" class={`pill net-${kind}`} data-net={kind}>
      <svg class="dot" viewBox="0 0 12 12" aria-hidden="true">
        {kind === 'yes' ? <circle cx="6" cy="6" r="5" /> : <path d="M6 1 11.5 11H.5Z" />}
      </svg>
      {net[kind]}
    </span>
  )
}

function kindOf({ isReached, isBusy, isAlone }: State): 'unknown' | 'no' | 'busy' | 'slow' | 'yes' {
  if (isReached === undefined) return 'unknown'
  if (!isReached) return 'no'
  if (isBusy) return 'busy'
  return isAlone ? 'slow' : 'yes'
}

/** Shows what somebody should mend. */
export function Warnings({ state }: { state: State }) {
  const texts = textsIn(state.language)
  const { wrongBy, isStorageFull, others } = state
  return (
    <div class="warnings" role="status">
      {wrongBy !== undefined && (
        <p class="note" id="clock">
          {texts.clockWrong(howLong(state, Math.abs(wrongBy) / 60_000))}
        </p>
      )}
      {others > 0 && (
        <p class="note" id="others" data-count={others}>
          {others === 1 ? texts.othersOne : texts.others(count(state, others))}
        </p>
      )}
      {isStorageFull && (
        <p class="note bad" id="storage">
          {texts.storageFull}
        </p>
      )}
    </div>
  )
}

function howLong(state: State, minutes: number): string {
  const texts = textsIn(state.language)
  const rounded = Math.round(minutes)
  return rounded < 120
    ? texts.minutes(count(state, rounded))
    : texts.hours(count(state, Math.round(minutes / 60)))
}
