import type { State } from '../state.ts'
import { textsIn } from '../texts/texts.ts'
import { count, when } from './parts.tsx'

/** Shows how many scans are only on this phone. */
export function Waiting({ state }: { state: State }) {
  const texts = textsIn(state.language)
  return (
    <span id="waiting" class={state.waiting > 0 ? 'pill warn' : 'pill'} data-count={state.waiting}>
      {state.waiting > 0 ? texts.waiting(count(state, state.waiting)) : texts.waitingNone}
    </span>
  )
}

/** Shows that guests leave here, and that nobody is let in. */
export function WayOut({ state }: { state: State }) {
  if (state.device?.way !== 'out') return null
  return (
    <span id="way" class="pill">
      {textsIn(state.language).wayOut}
    </span>
  )
}

/** Shows how many guests are in. The sign of the network says since when that is not known better. */
export function Inside({ state }: { state: State }) {
  const { inside } = textsIn(state.language)
  const { figures } = state
  if (figures === undefined) return null
  return (
    <span
      id="inside"
      class="pill"
      data-inside={figures.inside}
      data-expected={figures.expected}
      data-here={figures.here}
    >
      {inside(count(state, figures.inside), count(state, figures.expected), count(state, figures.here))}
    </span>
  )
}

/** Shows that nobody hears the results. */
export function Muted({ state }: { state: State }) {
  if (!state.isMuted) return null
  return (
    <span id="muted" class="pill warn">
      <svg class="speaker" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3 9v6h4l6 5V4L7 9ZM17 9l5 6M22 9l-5 6" />
      </svg>
      {textsIn(state.language).muted}
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
      {kind === 'no' && state.heardAt !== undefined ? net.noSince(when(state, state.heardAt)) : net[kind]}
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
