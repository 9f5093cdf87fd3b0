import { isComplete } from '../codes.ts'
import type { Screen } from '../state.ts'
import { textsIn } from '../texts/texts.ts'
import { Scans, Search } from './lists.tsx'
import { CameraState, Picture } from './picture.tsx'
import type { ViewProps } from './props.ts'
import { kindShown, ResultView } from './result.tsx'
import { Settings } from './settings.tsx'
import { Inside, Muted, Network, Waiting, Warnings, WayOut } from './status.tsx'

/**
 * Shows the scanner at work. The camera's picture stays in its place below every other screen, because it would stop if it moved.
 */
export function Scanner({ door, state }: ViewProps) {
  const texts = textsIn(state.language)
  const { screen } = state
  const kind = kindShown(state)
  return (
    <div class={kind === undefined ? 'scanner' : `scanner covered ${kind}`} data-screen={screen}>
      <header>
        <Logo state={state} />
        <h1>
          <bdi>{state.event?.title}</bdi>
          <small>
            <bdi>{state.device?.name}</bdi>
          </small>
        </h1>
        <p class="pills">
          <WayOut state={state} />
          <Network state={state} />
          <Waiting state={state} />
          <Muted state={state} />
          <Inside state={state} />
        </p>
      </header>
      <main>
        <Warnings state={state} />
        <View door={door} state={state} />
        {screen === 'search' && <Search door={door} state={state} />}
        {screen === 'scans' && <Scans door={door} state={state} />}
        {screen === 'settings' && <Settings door={door} state={state} />}
      </main>
      <CodeField door={door} state={state} />
      <nav aria-label={texts.title}>
        {(['scan', 'search', 'scans', 'settings'] as const).map(name => (
          <Tab key={name} name={name} door={door} state={state} />
        ))}
      </nav>
      <ResultView door={door} state={state} />
    </div>
  )
}

/** Shows whose door it is. The title of the event says so too. */
function Logo({ state: { logo } }: Pick<ViewProps, 'state'>) {
  if (logo === undefined) return null
  return <img src={`data:image/png;base64,${logo.png}`} alt="" width={logo.width} height={logo.height} />
}

function View({ door, state }: ViewProps) {
  const { scan } = textsIn(state.language)
  const { state: camera, torch } = state.camera
  return (
    <section class="view" hidden={state.screen !== 'scan'} aria-label={scan.aim}>
      <Picture door={door} />
      {camera === 'on' ? (
        <p class="said">{scan.aim}</p>
      ) : (
        <div class="off">
          <CameraState state={state} />
          {camera !== 'starting' && camera !== 'insecure' && (
            <button type="button" class="big main" id="wake" onClick={() => door.startCamera()}>
              {scan.wake}
            </button>
          )}
        </div>
      )}
      {torch !== 'missing' && (
        <button type="button" class="big torch" onClick={() => void door.camera.toggleTorch()}>
          {torch === 'on' ? scan.torchOff : scan.torchOn}
        </button>
      )}
    </section>
  )
}

/** Takes codes from scanners that type into fields, and from people who do. */
function CodeField({ door, state }: ViewProps) {
  const { scan } = textsIn(state.language)
  const take = (field: HTMLInputElement) => {
    const { value } = field
    field.value = ''
    // The keyboard of a phone would cover the result.
    field.blur()
    if (value.trim() !== '') door.takeTexts([value], 'field', performance.now())
  }
  return (
    <form
      class="code"
      aria-label={scan.codeHelp}
      onSubmit={event => {
        event.preventDefault()
        take(event.currentTarget.elements.namedItem('code') as HTMLInputElement)
      }}
    >
      <label for="code">{scan.code}</label>
      <input
        id="code"
        name="code"
        type="text"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        placeholder={scan.codeHelp}
        onInput={event => {
          // Some scanners send no Enter, and some phones name no key to the page.
          if (isComplete(event.currentTarget.value)) take(event.currentTarget)
        }}
        enterkeyhint="go"
      />
      <button type="submit">{scan.check}</button>
    </form>
  )
}

const icons: Record<Screen, string> = {
  scan: 'M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15M4 12H20',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 21 21',
  scans: 'M8 6H21M8 12H21M8 18H21M3.5 6h.01M3.5 12h.01M3.5 18h.01',
  settings: 'M4 7H13M17 7H20M15 5V9M4 17H7M11 17H20M9 15V19',
}

function Tab({ name, door, state }: ViewProps & { name: Screen }) {
  const { nav } = textsIn(state.language)
  return (
    <button
      type="button"
      class="tab"
      aria-current={state.screen === name ? 'page' : undefined}
      onClick={() => door.show(name)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={icons[name]} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
      </svg>
      {nav[name]}
    </button>
  )
}
