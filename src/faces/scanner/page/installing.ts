import type { Door } from './door.ts'

/** TypeScript's own types lack this: https://wicg.github.io/manifest-incubations/#beforeinstallpromptevent-interface */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

/** Lets the page's own button install it, if the browser offers that. The browser's own button is in a menu that nobody opens. */
export function watchInstalling(door: Pick<Door, 'set'>, page: EventTarget = globalThis): void {
  page.addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    const install = () => {
      // The page can use each offer once.
      door.set({ install: undefined })
      void (event as InstallOffer).prompt().catch(() => undefined)
    }
    door.set({ install })
  })
  page.addEventListener('appinstalled', () => door.set({ install: undefined, isInstalled: true }))
}
