const NAME = 'turnout-door'

/**
 * Takes the lock that only one tab has at a time.
 *
 * @param takeOver whether to take it from the tab that has it
 * @param onLost is called when another tab has taken it
 * @returns false if another tab has it
 */
export function holdLock(takeOver: boolean, onLost: () => void): Promise<boolean> {
  // A page over plain http has no locks. It loses no more than the order of two tabs.
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
