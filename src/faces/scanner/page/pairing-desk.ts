import type { Holding } from './holding.ts'
import { findSecret, isElsewhere } from './pairing.ts'
import { Busy, Refusal } from './server.ts'
import type { PairingTry, State } from './state.ts'

export interface DeskParts {
  holding: Holding
  state: () => State
  set(part: Partial<State>): void
  /** The phone has read a secret, and no longer looks for one. */
  onRead(): void
  onPaired(): void
}

const NOTHING: PairingTry = { secret: undefined, fault: undefined, isBusy: false }

/** Makes this phone a door. Only a button uses a secret, so that nothing happens when somebody only opens an address. */
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

  /** Takes the texts from a camera, a keyboard scanner, or a person. */
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
    const { state, set, onPaired } = this.#parts
    const { secret } = state().pairing
    if (secret === undefined) return
    set({ pairing: { secret, fault: undefined, isBusy: true } })
    try {
      await this.#pairPatiently(secret)
      // Somebody has given up meanwhile.
      if (state().pairing.secret !== secret) return
      leaveAddress()
      set({ pairing: NOTHING, phase: 'fetching' })
      onPaired()
      void navigator.storage?.persist?.().catch(() => undefined)
    } catch (error) {
      const fault = error instanceof Refusal ? faultOf(error.code) : 'no-answer'
      set({ pairing: { secret: fault === 'no-answer' ? secret : undefined, fault, isBusy: false } })
    }
  }

  /** Asks again if the server asks to wait, as long as somebody waits for it. */
  async #pairPatiently(secret: string): Promise<void> {
    const { holding, state, set } = this.#parts
    while (state().pairing.secret === secret) {
      try {
        await holding.pair(secret)
        return
      } catch (error) {
        if (!(error instanceof Busy)) throw error
        set({ pairing: { secret, fault: 'busy', isBusy: true } })
        await new Promise(resolve => setTimeout(resolve, error.retryAfter))
      }
    }
  }

  forgetSecret(): void {
    leaveAddress()
    this.#parts.set({ pairing: NOTHING })
  }
}

/** The secret is of no use any more, and must stay in no history. */
function leaveAddress(): void {
  if (location.hash !== '') history.replaceState(null, '', '/door/')
}

function faultOf(code: string): PairingTry['fault'] {
  if (code === 'pairing_ended') return 'ended'
  return code === 'not_found' ? 'unknown' : 'refused'
}
