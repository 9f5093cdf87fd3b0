import type { State } from '../state.ts'
import { type Texts, textsIn } from '../texts/texts.ts'
import { Install } from './install.tsx'
import { Languages } from './languages.tsx'
import { count, Page } from './parts.tsx'
import { CameraState, Picture } from './picture.tsx'
import type { ViewProps } from './props.ts'

/** Makes this phone a door by a code of the dashboard, which a camera, a scanner or a person brings. */
export function Pairing({ door, state }: ViewProps) {
  const texts = textsIn(state.language)
  const { secret, fault, isBusy } = state.pairing
  const kept =
    state.waiting === 1 ? texts.pairing.waitingOne : texts.pairing.waiting(count(state, state.waiting))
  return (
    <Page title={texts.pairing.title}>
      {state.ended !== undefined && <p class="note">{texts.ended[state.ended]}</p>}
      {state.waiting > 0 && (
        <p class="note" id="waiting" data-count={state.waiting}>
          {kept}
        </p>
      )}
      <div role="alert">{fault !== undefined && <p class="note bad">{tell(texts, fault)}</p>}</div>
      {secret === undefined ? (
        <Ways door={door} state={state} />
      ) : (
        <>
          <p>{texts.pairing.found}</p>
          <button type="button" class="big main" id="pair" disabled={isBusy} onClick={() => void door.pair()}>
            {isBusy ? texts.pairing.busy : texts.pairing.pair}
          </button>
          <button
            type="button"
            class="big"
            disabled={isBusy && fault !== 'busy'}
            onClick={() => door.forgetSecret()}
          >
            {state.device === undefined ? texts.pairing.another : texts.cancel}
          </button>
        </>
      )}
      <Install state={state} />
      <Languages door={door} state={state} />
    </Page>
  )
}

function Ways({ door, state }: ViewProps) {
  const texts = textsIn(state.language)
  const isOn = state.camera.state === 'on' || state.camera.state === 'starting'
  return (
    <>
      <p>{texts.pairing.about}</p>
      {isOn ? (
        <Picture door={door} />
      ) : (
        <button type="button" class="big main" id="read" onClick={() => door.startCamera()}>
          {texts.pairing.byCamera}
        </button>
      )}
      {state.camera.state !== 'off' && <CameraState state={state} />}
      <form
        class="stack"
        onSubmit={event => {
          event.preventDefault()
          const { value } = event.currentTarget.elements.namedItem('link') as HTMLInputElement
          door.takeTexts([value], 'field', performance.now())
        }}
      >
        <label for="link">{texts.pairing.code}</label>
        <input
          id="link"
          name="link"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
        />
        <button type="submit" class="big">
          {texts.pairing.use}
        </button>
      </form>
    </>
  )
}

function tell(texts: Texts, fault: NonNullable<State['pairing']['fault']>): string {
  return typeof fault === 'object' ? texts.pairing.faults.elsewhere(fault.host) : texts.pairing.faults[fault]
}
