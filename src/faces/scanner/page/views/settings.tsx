import { textsIn } from '../texts/texts.ts'
import { Install } from './install.tsx'
import { Languages } from './languages.tsx'
import { count, when } from './parts.tsx'
import type { ViewProps } from './props.ts'
import { Forget } from './start.tsx'

export function Settings({ door, state }: ViewProps) {
  const { settings, secure } = textsIn(state.language)
  const { choices, chosen } = state.camera
  return (
    <section class="panel">
      <h2>{settings.title}</h2>
      {choices.length > 0 && (
        <div class="stack">
          <label for="camera">{settings.camera}</label>
          <select id="camera" value={chosen} onChange={event => door.startCamera(event.currentTarget.value)}>
            {choices.map(({ id, label }, at) => (
              <option key={id} value={id}>
                {label === '' ? settings.cameraNumber(String(at + 1)) : label}
              </option>
            ))}
          </select>
        </div>
      )}
      <fieldset class="choice">
        <legend>{settings.sound}</legend>
        {[false, true].map(isMuted => (
          <button
            key={String(isMuted)}
            type="button"
            aria-pressed={state.isMuted === isMuted}
            onClick={() => door.mute(isMuted)}
          >
            {isMuted ? settings.soundOff : settings.soundOn}
          </button>
        ))}
      </fieldset>
      <Languages door={door} state={state} />
      <dl class="facts">
        <dt>{settings.event}</dt>
        <dd>
          <bdi>{state.event?.title}</bdi>
        </dd>
        <dt>{settings.door}</dt>
        <dd>
          <bdi>{state.device?.name}</bdi>
        </dd>
        <dt>{settings.list}</dt>
        <dd>{settings.tickets(count(state, state.tickets))}</dd>
        {state.heardAt !== undefined && (
          <>
            <dt>{settings.heard}</dt>
            <dd>{when(state, state.heardAt)}</dd>
          </>
        )}
      </dl>
      {state.isOffline === 'yes' && <p class="quiet">{secure.offlineYes}</p>}
      {state.isOffline === 'no' && state.isSecure && <p class="note">{secure.offlineNo}</p>}
      <Install state={state} />
      <button type="button" class="big" onClick={() => door.stop()}>
        {settings.stop}
      </button>
      <Forget door={door} state={state} />
    </section>
  )
}
