import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import puppeteer from 'puppeteer-core'
import { fontEnvironment } from './fonts.ts'
import { BrowserLost, type Keyboard } from './keyboard-walk.ts'

/** A browser, as far as a form needs one. Controls are named by CSS selectors. */
export interface SimpleBrowser {
  open(url: string): Promise<void>
  /** Replaces what a control has, key by key. */
  type(selector: string, text: string): Promise<void>
  /** Presses a button, and waits for the page that it leads to, which has `selector`. */
  press(button: string, selector: string): Promise<void>
  textOf(selector: string): Promise<string>
  /** As wide as a phone, for somebody with a keyboard alone. */
  becomePhone(): Promise<Keyboard>
  close(): Promise<void>
}

const PHONE = { width: 390, height: 800 }

/** Where Debian's package `firefox-esr` puts it. */
export const FIREFOX = '/usr/bin/firefox-esr'

/** Debian's Firefox, by WebDriver BiDi. */
export async function openFirefox(): Promise<SimpleBrowser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    env: fontEnvironment(),
    // Nothing is looked for elsewhere, so that a test needs no network.
    extraPrefsFirefox: { 'network.captive-portal-service.enabled': false, 'app.update.auto': false },
  })
  const page = await browser.newPage()
  return {
    open: async url => void (await page.goto(url)),
    async type(selector, text) {
      await page.locator(selector).fill('')
      await page.type(selector, text)
    },
    async press(button, selector) {
      await Promise.all([page.waitForNavigation(), page.click(button)])
      await page.waitForSelector(selector)
    },
    textOf: selector => page.$eval(selector, element => element.textContent ?? ''),
    async becomePhone() {
      await page.setViewport(PHONE)
      return {
        open: async url => void (await page.goto(url)),
        press: key => page.keyboard.press(key),
        type: text => page.keyboard.type(text),
        evaluate: async expression => (await page.evaluate(expression)) as never,
      }
    },
    close: () => browser.close(),
  }
}

/**
 * The driver sometimes never answers the first that it is asked: nothing of ours, which asks another one then. One that is slow
 * because the machine is busy must not be taken for that.
 */
const ANSWER_TIME = 20_000
const TRIES = 3

export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'
const LIBRARIES = '/usr/lib'

/** WebKit's small browser, which comes with its library; undefined where it is missing. */
export function findMiniBrowser(): string | undefined {
  if (!existsSync(WEBKIT_DRIVER) || !existsSync('/usr/bin/Xvfb')) return undefined
  const folders = readdirSync(LIBRARIES).flatMap(machine =>
    /-linux-/.test(machine)
      ? readdirSync(`${LIBRARIES}/${machine}`)
          .filter(name => name.startsWith('webkit2gtk-'))
          .map(name => `${LIBRARIES}/${machine}/${name}/MiniBrowser`)
      : [],
  )
  return folders.find(path => existsSync(path))
}

/** What WebKit's driver can besides. */
export interface WebKitBrowser extends SimpleBrowser {
  press(button: string, selector: string | undefined): Promise<void>
  /** Does something inside of a frame, and returns to the window, also if the frame leads the window elsewhere. */
  inFrame(frame: string, work: () => Promise<void>): Promise<void>
  /** Tells whether something is there now. */
  has(selector: string): Promise<boolean>
  /** Returns the value of an expression in the page. */
  read(expression: string): Promise<Record<string, string>>
}

interface WebKitOptions {
  /** Whether it takes certificates of no authority. */
  acceptInsecureCerts?: boolean
}

/** Debian's WebKit, by WebDriver, on a screen that nobody sees. */
export async function openWebKit(miniBrowser: string, options: WebKitOptions = {}): Promise<WebKitBrowser> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryWebKit(miniBrowser, tries, options)
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}

async function tryWebKit(miniBrowser: string, tries: number, options: WebKitOptions): Promise<WebKitBrowser> {
  const number = 1000 + ((process.pid * TRIES + tries) % 30_000)
  const screen = spawn('Xvfb', [`:${number}`, '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: 'ignore',
  })
  await until(async () => existsSync(`/tmp/.X11-unix/X${number}`), 'The screen is not there.')
  const port = await freePort()
  const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], {
    stdio: 'ignore',
    // Of a group of its own, which is ended with all that the driver has started.
    detached: true,
    // Its own sandbox needs rights that containers lack; the pages are ours.
    env: {
      ...fontEnvironment(),
      DISPLAY: `:${number}`,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      // The driver's own scripts end WebKit 2.50 in its first collection of garbage after some pages (an abort in the marking of DOM
      // objects), whatever is in them. With no time for collections none is begun.
      JSC_collectionTimerMaxPercentCPU: '0.000001',
      GDK_BACKEND: 'x11',
    },
  })
  const stop = () => {
    if (driver.pid !== undefined && driver.exitCode === null) process.kill(-driver.pid, 'SIGKILL')
    screen.kill('SIGKILL')
  }
  try {
    return await startSession(`http://127.0.0.1:${port}`, miniBrowser, options, stop)
  } catch (error) {
    stop()
    throw error
  }
}

async function startSession(
  base: string,
  binary: string,
  options: WebKitOptions,
  stop: () => void,
): Promise<WebKitBrowser> {
  const send = async (method: string, path: string, body?: object): Promise<never> => {
    const signal = AbortSignal.timeout(ANSWER_TIME)
    const answer = await fetch(base + path, { method, signal, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } }
    if (!answer.ok && LOST.test(`${value.error} ${value.message}`))
      throw new BrowserLost(`${path}: ${value.message}`)
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`)
    return value as never
  }
  const isReady = () =>
    fetch(`${base}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isReady, 'The driver does not answer.')
  const alwaysMatch = {
    browserName: 'MiniBrowser',
    ...options,
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  }
  const { sessionId } = (await send('POST', '/session', { capabilities: { alwaysMatch } })) as {
    sessionId: string
  }
  const session = `/session/${sessionId}`
  // A search that waits inside of WebKit never answers where its page leaves for another process, so each looks only once.
  const find = async (selector: string): Promise<string> => {
    let found: Record<string, string> | undefined
    const look = async () => {
      try {
        found = await send('POST', `${session}/element`, { using: 'css selector', value: selector })
      } catch (error) {
        if (!NOT_YET.test(String(error))) throw error
      }
      return found !== undefined
    }
    await until(look, `There is no ${selector}.`)
    return `${session}/element/${Object.values(found ?? {})[0]}`
  }
  await send('POST', `${session}/timeouts`, { implicit: 0, pageLoad: 10_000 })
  return {
    open: url => send('POST', `${session}/url`, { url }),
    async type(selector, text) {
      const element = await find(selector)
      // What stands below the window WebKit scrolls to so sparingly that it may find it out of reach.
      const script = `document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`
      await send('POST', `${session}/execute/sync`, { script, args: [] })
      await send('POST', `${element}/clear`, {})
      await send('POST', `${element}/value`, { text })
    },
    async press(button, selector) {
      await send('POST', `${await find(button)}/click`, {})
      if (selector !== undefined) await find(selector)
    },
    async inFrame(frame, work) {
      const element = await find(frame)
      const id = { 'element-6066-11e4-a52e-4f735466cecf': element.split('/').at(-1) }
      await send('POST', `${session}/frame`, { id })
      await work()
      await send('POST', `${session}/frame`, { id: null })
    },
    async has(selector) {
      const found = await send('POST', `${session}/elements`, { using: 'css selector', value: selector })
      return (found as readonly unknown[]).length > 0
    },
    read: expression => send('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    textOf: async selector => send('GET', `${await find(selector)}/text`),
    async becomePhone() {
      await send('POST', `${session}/window/rect`, PHONE)
      const strike = (keys: readonly string[]) => {
        const actions = keys.flatMap(value => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ])
        return send('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] })
      }
      return {
        open: url => send('POST', `${session}/url`, { url }),
        press: key => strike([KEYS[key]]),
        type: text => strike([...text]),
        evaluate: expression =>
          send('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
      }
    },
    close: async () => stop(),
  }
}

/** WebKit ends a page that has not answered for some seconds, as on a busy machine, and its session with it. */
const LOST = /invalid session id|crash or hang|Could not parse script result/

/** What WebDriver says of an element of a page that is still to come, or of a page that leaves meanwhile. */
const NOT_YET = /no such element|no such frame/

/** As WebDriver names them (section 17.4.2). */
const KEYS = { Tab: '\uE004', Enter: '\uE007', ' ': ' ' } as const

async function until(isThere: () => Promise<boolean>, complaint: string): Promise<void> {
  for (let looks = 0; looks < 100; looks++) {
    if (await isThere()) return
    await wait(100)
  }
  throw new Error(complaint)
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

const miniBrowser = findMiniBrowser()

/** Those that are not Chromium, and whether they are missing here. */
export const otherBrowsers: [name: string, missing: boolean, open: () => Promise<SimpleBrowser>][] = [
  ['Firefox', !existsSync(FIREFOX), openFirefox],
  ['WebKit', miniBrowser === undefined, () => openWebKit(miniBrowser as string)],
]

/**
 * The driver of WebKit sometimes leaves a command without an answer, or its browser ends by itself: then another browser goes the way
 * from its beginning.
 *
 * @throws what the last of them did, where none answers
 */
export async function walkInOne<Browser extends SimpleBrowser>(
  open: () => Promise<Browser>,
  walk: (browser: Browser) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const browser = await open()
    try {
      return await walk(browser)
    } catch (error) {
      const isLost = error instanceof BrowserLost || (error instanceof Error && error.name === 'TimeoutError')
      if (!isLost || tries === TRIES) throw error
    } finally {
      await browser.close()
    }
  }
}
