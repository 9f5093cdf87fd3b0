import type { Door } from './door.ts'

/** Has the page open without a network, where the browser lets it. */
export function watchOffline(door: Door): void {
  const { serviceWorker } = navigator
  if (serviceWorker === undefined) {
    door.set({ isOffline: 'no' })
    return
  }
  const wasControlled = serviceWorker.controller !== null
  // A new version has come, and the files of this one are gone.
  serviceWorker.addEventListener('controllerchange', () => {
    if (wasControlled && door.state.phase !== 'scanning' && location.hash === '') location.reload()
  })
  serviceWorker.register('/door/worker.js', { scope: '/door/' }).then(
    () => serviceWorker.ready.then(() => door.set({ isOffline: 'yes' })),
    () => door.set({ isOffline: wasControlled ? 'yes' : 'no' }),
  )
}
