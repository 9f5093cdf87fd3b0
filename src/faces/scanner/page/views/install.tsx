import type { State } from '../state.ts'
import { textsIn } from '../texts/texts.ts'

/** Shows how to keep the page on a phone. It shows nothing if the page is already installed. */
export function Install({ state }: { state: State }) {
  const { install, secure } = textsIn(state.language)
  if (!state.isSecure) return <p class="note">{secure.http}</p>
  if (state.isInstalled) return null
  if (state.install !== undefined) {
    return (
      <button type="button" class="big" id="install" onClick={state.install}>
        {install.install}
      </button>
    )
  }
  return (
    <details class="advice">
      <summary>{install.title}</summary>
      {state.isApple ? (
        <>
          <p>{install.iosAbout}</p>
          <p>{install.iosHow}</p>
        </>
      ) : (
        <p>{install.about}</p>
      )}
    </details>
  )
}
