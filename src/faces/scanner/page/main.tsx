import { render } from 'preact'
import { Door } from './door.ts'
import { watchInstalling } from './installing.ts'
import { watchKeys } from './keys.ts'
import { watchOffline } from './offline.ts'
import { App } from './views/app.tsx'

const root = document.getElementById('app')
if (root !== null) {
  root.textContent = ''
  let isDrawn = true
  let renew = () => {}
  const draw = () => {
    isDrawn = true
    document.documentElement.lang = door.state.language
    render(<App door={door} state={door.state} />, root)
    renew()
  }
  const door = new Door(() => {
    if (isDrawn) queueMicrotask(draw)
    isDrawn = false
  })
  draw()
  watchKeys(door)
  renew = watchOffline(door)
  watchInstalling(door)
  addEventListener('pointerdown', () => door.camera.touch())
  addEventListener('hashchange', () => door.desk.readAddress())
  addEventListener('online', () => door.hurry())
  addEventListener('offline', () => door.set({ isReached: false, isBusy: false }))
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) door.hurry()
  })
  void door.begin(false)
}
