import type { Door } from '../door.ts'
import type { State } from '../state.ts'
import { textsIn } from '../texts/texts.ts'

/** Shows what the camera sees. */
export function Picture({ door }: { door: Door }) {
  return (
    <div class="picture">
      <div
        class="video"
        ref={element => {
          const { video } = door.camera
          if (element === null || element.firstChild === video) return
          element.append(video)
          // The video stops when it moves within the page.
          if (video.srcObject !== null) void video.play().catch(() => undefined)
        }}
      />
      <svg class="aim" viewBox="0 0 100 100" aria-hidden="true">
        <path
          d="M3 22V3H22M78 3H97V22M97 78V97H78M22 97H3V78"
          fill="none"
          stroke="currentColor"
          stroke-width="3"
        />
      </svg>
    </div>
  )
}

export function CameraState({ state }: { state: State }) {
  const sentence = textsIn(state.language).scan.camera[state.camera.state]
  return sentence === '' ? null : (
    <p class="said" data-camera={state.camera.state}>
      {sentence}
    </p>
  )
}
