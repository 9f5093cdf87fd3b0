const NAME = 'turnout-door'

/**
 * Holds the lock that one tab has at a time.
 *
 * @param takeOver whether to take it from the tab that has it
 * @param onLost another tab has taken it
 * @returns false where another tab has it
 */
export function holdLock(takeOver: boolean, onLost: () => void): Promise<boolean> {
  // Plain http has no locks; nobody loses more there than the order of two tabs.
  if (navigator.locks === undefined) return Promise.resolve(true)
  return new Promise(resolve => {
    let isHeld = false
    navigator.locks
      .request(NAME, takeOver ? { steal: true } : { ifAvailable: true }, lock => {
        isHeld = lock !== null
        resolve(isHeld)
        return isHeld ? new Promise<void>(() => undefined) : undefined
      })
      .catch(() => {
        if (isHeld) onLost()
        resolve(false)
      })
  })
}
