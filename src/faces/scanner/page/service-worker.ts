/** The page consists of these files. They are kept so that it opens without a network. */
declare const KEPT_FILES: readonly string[]
/** This is the address of the page's script, which no other page names. */
declare const MAIN_SCRIPT: string
/** All these files together have this version. */
declare const VERSION: string

interface ExtendableEvent extends Event {
  waitUntil(done: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
declare const self: {
  addEventListener(name: 'install' | 'activate', act: (event: ExtendableEvent) => void): void
  addEventListener(name: 'fetch', act: (event: FetchEvent) => void): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  readonly location: Location
}

const PAGE = '/door/'
const CACHE = `turnout-door ${VERSION}`

self.addEventListener('install', event => {
  event.waitUntil(keep().then(() => self.skipWaiting()))
})

self.addEventListener('activate', event => {
  event.waitUntil(dropOthers().then(() => self.clients.claim()))
})

self.addEventListener('fetch', event => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname === PAGE || KEPT_FILES.includes(url.pathname))
    event.respondWith(answer(url.pathname, request))
})

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE)
  await Promise.all(KEPT_FILES.map(path => keepOne(cache, path)))
}

/** Does not keep what a captive portal answers in place of this server. */
async function keepOne(cache: Cache, path: string): Promise<void> {
  // A file whose address has a hash may come from the browser's own store.
  const response = await fetch(path, { cache: path === PAGE ? 'no-cache' : 'default', redirect: 'error' })
  const isHtml = response.headers.get('Content-Type')?.startsWith('text/html') === true
  const isOurs = path === PAGE ? (await response.clone().text()).includes(MAIN_SCRIPT) : !isHtml
  if (!response.ok || !isOurs) throw new Error(`${path} is not what was asked for`)
  await cache.put(path, response)
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter(name => name !== CACHE).map(name => caches.delete(name)))
}

async function answer(path: string, request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match(path)
  return kept ?? fetch(request)
}
