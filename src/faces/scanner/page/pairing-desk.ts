import type { Holding } from './holding.ts'
import { findSecret, isElsewhere } from './pairing.ts'
import { Refusal } from './server.ts'
import type { PairingTry, State } from './state.ts'

export interface DeskParts {
  holding: Holding
  state: () => State
  set(part: Partial<State>): void
  /** A secret was read: nothing is looked for any more. */
  onRead(): void
  onPaired(): void
}

const NOTHING: PairingTry = { secret: undefined, fault: undefined, isBusy: false }

/** Makes this phone a door. A secret is used by a button alone: whoever only opens an address has done nothing. */
export class PairingDesk {
  readonly #parts: DeskParts

  constructor(parts: DeskParts) {
    this.#parts = parts
  }

  readAddress(): void {
    const secret = findSecret(location.hash)
    if (secret === undefined || this.#parts.state().phase === 'scanning') return
    this.#parts.set({ phase: 'pairing', pairing: { ...NOTHING, secret } })
  }

  /** Takes what a camera, a scanner that types, or a person has brought. */
  take(texts: readonly string[]): void {
    const { state, set, onRead } = this.#parts
    if (state().pairing.secret !== undefined) return
    const text = texts.find(one => findSecret(one) !== undefined)
    if (text === undefined) {
      set({ pairing: { ...NOTHING, fault: 'no-secret' } })
      return
    }
    const host = isElsewhere(text, location.origin)
    onRead()
    set({
      pairing:
        host === undefined ? { ...NOTHING, secret: findSecret(text) } : { ...NOTHING, fault: { host } },
    })
  }

  async pair(): Promise<void> {
    const { holding, state, set, onPaired } = this.#parts
    const { secret } = state().pairing
    if (secret === undefined) return
    set({ pairing: { secret, fault: undefined, isBusy: true } })
    try {
      await holding.pair(secret)
      leaveAddress()
      set({ pairing: NOTHING, phase: 'fetching' })
      onPaired()
      void navigator.storage?.persist?.().catch(() => undefined)
    } catch (error) {
      const fault = error instanceof Refusal ? faultOf(error.code) : 'no-answer'
      set({ pairing: { secret: fault === 'no-answer' ? secret : undefined, fault, isBusy: false } })
    }
  }

  forgetSecret(): void {
    leaveAddress()
    this.#parts.set({ pairing: NOTHING })
  }
}

/** The secret is no longer of use, and is in no history. */
function leaveAddress(): void {
  if (location.hash !== '') history.replaceState(null, '', '/door/')
}

function faultOf(code: string): PairingTry['fault'] {
  if (code === 'pairing_ended') return 'ended'
  return code === 'not_found' ? 'unknown' : 'refused'
}
