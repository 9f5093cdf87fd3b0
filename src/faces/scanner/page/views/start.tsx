import { textsIn } from '../texts/texts.ts'
import { Install } from './install.tsx'
import { Languages } from './languages.tsx'
import { count, Page } from './parts.tsx'
import type { ViewProps } from './props.ts'
import { Waiting, Warnings } from './status.tsx'

/** Starts each launch, because phones give no camera and no sound without a touch. */
export function Start({ door, state }: ViewProps) {
  const texts = textsIn(state.language)
  const { phase, tickets, ended } = state
  const number = count(state, tickets)
  if (phase === 'ending') {
    return (
      <Page title={ended === 'expired' ? texts.ended.expired : texts.ending.title}>
        <p>{texts.ending.about}</p>
        <p>
          <Waiting state={state} />
        </p>
        <Warnings state={state} />
        <Forget door={door} state={state} />
      </Page>
    )
  }
  return (
    <Page title={state.event?.title ?? texts.fetching.title}>
      <p class="of">
        {texts.start.at} <b>{state.device?.name}</b>
      </p>
      {phase === 'fetching' ? (
        <p aria-live="polite">
          {state.isBusy
            ? texts.fetching.busy
            : state.isReached === false
              ? texts.pairing.faults['no-answer']
              : texts.fetching.about}
        </p>
      ) : (
        <>
          <p id="ready" data-tickets={tickets}>
            {tickets === 0
              ? texts.start.readyNone
              : tickets === 1
                ? texts.start.readyOne
                : texts.start.ready(number)}
          </p>
          <button type="button" class="big main tall" id="start" onClick={() => door.start()}>
            {texts.start.start}
          </button>
        </>
      )}
      <p>
        <Waiting state={state} />
      </p>
      <Warnings state={state} />
      <p class="quiet" id="offline" data-offline={state.isOffline}>
        {state.isOffline === 'yes' && texts.secure.offlineYes}
        {state.isOffline === 'no' && state.isSecure && texts.secure.offlineNo}
      </p>
      <Install state={state} />
      <Languages door={door} state={state} />
      <Forget door={door} state={state} />
    </Page>
  )
}

export function Forget({ door, state }: ViewProps) {
  const { settings, cancel } = textsIn(state.language)
  const unsent = state.waiting + state.others
  if (state.asks?.kind !== 'forget') {
    return (
      <button type="button" class="big plainly" onClick={() => door.set({ asks: { kind: 'forget' } })}>
        {settings.forget}
      </button>
    )
  }
  return (
    <section class="note bad" aria-label={settings.forgetTitle}>
      <h2>{settings.forgetTitle}</h2>
      <p>{settings.forgetAbout}</p>
      {unsent > 0 && <p>{settings.forgetWaiting(count(state, unsent))}</p>}
      <div class="pair">
        <button type="button" class="big danger" onClick={() => void door.forget()}>
          {settings.forgetConfirm}
        </button>
        <button type="button" class="big" onClick={() => door.set({ asks: undefined })}>
          {cancel}
        </button>
      </div>
    </section>
  )
}
