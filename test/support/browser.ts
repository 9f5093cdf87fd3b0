import type { TestContext } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumOptions } from './chromium.ts'

let running: Promise<Browser> | undefined

/** Launches the system's Chromium on a profile of its own. It finds no address but this machine's. */
function launch(): Promise<Browser> {
  return chromium.launch(
    chromiumOptions([
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ]),
  )
}

export interface WatchedPage {
  page: Page
  /** Every address that the page has requested. */
  requests: string[]
  /** Every message in the console of the page, and every error in it. */
  messages: string[]
}

/** Returns the browser that all tests of the file share. */
export function sharedBrowser(): Promise<Browser> {
  running ??= launch()
  return running
}

/** Opens a page in it. */
export async function openPage(
  t: Pick<TestContext, 'after'>,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const browser = await sharedBrowser()
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
  const requests: string[] = []
  const messages: string[] = []
  page.on('request', request => requests.push(request.url()))
  page.on('console', message => messages.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => messages.push(error.message))
  t.after(() => page.close())
  await page.addInitScript({ path: 'test/support/in-page.js' })
  await page.goto(url)
  return { page, requests, messages }
}

/** It has to be called when all tests of the file have ended. */
export async function closeBrowser(): Promise<void> {
  await (await running)?.close()
}
