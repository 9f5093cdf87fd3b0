import type { Door } from './door.ts'
import type { State } from './state.ts'

/**
 * Has the page open without a network, where the browser lets it.
 *
 * @returns what is to be called whenever the page has changed: a new version that came meanwhile begins once nobody is interrupted
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
  // A new version has come, and the files of this one are gone.
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

/** Whether nothing is lost or interrupted by another page in the place of this one. */
function isIdle({ phase, alarms, pairing, camera }: State): boolean {
  return phase !== 'scanning' && alarms.length === 0 && pairing.secret === undefined && camera.state !== 'on'
}
