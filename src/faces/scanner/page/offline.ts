import type { Door } from './door.ts'
import type { State } from './state.ts'

/**
 * Lets the page open without a network, if the browser allows it.
 *
 * @returns a function to call whenever the page has changed; it starts a new version of the page once that interrupts nobody
 */
export function watchOffline(door: Pick<Door, 'state' | 'set'>): () => void {
  const { serviceWorker } = navigator
  if (serviceWorker === undefined) {
    door.set({ isOffline: 'no' })
    return () => undefined
  }
  const wasControlled = serviceWorker.controller !== null
  let isNew = false
  const look = () => {
    if (!isNew || !isIdle(door.state) || location.hash !== '') return
    isNew = false
    location.reload()
  }
  // A new version has come, and the files of this version are gone.
  serviceWorker.addEventListener('controllerchange', () => {
    isNew ||= wasControlled
    look()
  })
  serviceWorker.register('/door/worker.js', { scope: '/door/' }).then(
    () => serviceWorker.ready.then(() => door.set({ isOffline: 'yes' })),
    () => door.set({ isOffline: wasControlled ? 'yes' : 'no' }),
  )
  return look
}

/** Returns whether a reload of the page would lose or interrupt nothing. */
function isIdle({ phase, alarms, pairing, camera }: State): boolean {
  return phase !== 'scanning' && alarms.length === 0 && pairing.secret === undefined && camera.state !== 'on'
}
