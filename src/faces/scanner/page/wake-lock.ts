/** Keeps the screen on while somebody looks at the page. Without this API, the screen sleeps as its owner has set. */
export class WakeLock {
  #isWanted = false
  #held: WakeLockSentinel | undefined

  constructor() {
    document.addEventListener('visibilitychange', () => void this.#hold())
  }

  want(isWanted: boolean): void {
    this.#isWanted = isWanted
    if (isWanted) void this.#hold()
    else void this.#held?.release().catch(() => undefined)
  }

  async #hold(): Promise<void> {
    if (!this.#isWanted || document.hidden || navigator.wakeLock === undefined) return
    if (this.#held !== undefined && !this.#held.released) return
    this.#held = await navigator.wakeLock.request('screen').catch(() => undefined)
  }
}
