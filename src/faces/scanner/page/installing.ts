import type { Door } from './door.ts'

/** Not in TypeScript's own types: https://wicg.github.io/manifest-incubations/#beforeinstallpromptevent-interface */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

/** Has the page's own button install it, where the browser offers that: its own is in a menu that nobody opens. */
export function watchInstalling(door: Pick<Door, 'set'>, page: EventTarget = globalThis): void {
  page.addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    const install = () => {
      // Each offer can be taken once.
      door.set({ install: undefined })
      void (event as InstallOffer).prompt().catch(() => undefined)
    }
    door.set({ install })
  })
  page.addEventListener('appinstalled', () => door.set({ install: undefined, isInstalled: true }))
}
