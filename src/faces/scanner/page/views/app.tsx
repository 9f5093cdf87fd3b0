import { textsIn } from '../texts/texts.ts'
import { Pairing } from './pairing.tsx'
import { Page } from './parts.tsx'
import type { ViewProps } from './props.ts'
import { ResultView } from './result.tsx'
import { Scanner } from './scanner.tsx'
import { Start } from './start.tsx'

/** Shows the screen for what the scanner is doing. */
export function App({ door, state }: ViewProps) {
  const texts = textsIn(state.language)
  // These alarms are from before the page ended. The person who opens it again sees them first.
  if (state.alarms.length > 0 && !/^(loading|elsewhere|no-storage|scanning)$/.test(state.phase)) {
    return (
      <main class="scanner covered conflict">
        <h1 class="unseen">{texts.title}</h1>
        <ResultView door={door} state={state} />
      </main>
    )
  }
  switch (state.phase) {
    case 'loading':
      return (
        <main class="plain" aria-busy="true">
          <h1>{texts.title}</h1>
          <p>{texts.loading}</p>
        </main>
      )
    case 'elsewhere':
      return (
        <Page title={texts.elsewhere.title}>
          <p>{texts.elsewhere.about}</p>
          <button type="button" class="big main" onClick={() => void door.begin(true)}>
            {texts.elsewhere.take}
          </button>
        </Page>
      )
    case 'no-storage':
      return (
        <Page title={texts.noStorage.title}>
          <p>{texts.noStorage.about}</p>
        </Page>
      )
    case 'pairing':
      return <Pairing door={door} state={state} />
    case 'scanning':
      return <Scanner door={door} state={state} />
    default:
      return <Start door={door} state={state} />
  }
}
