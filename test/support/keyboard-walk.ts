import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Describes the part of a browser that a person with a keyboard alone uses. */
export interface Keyboard {
  open(url: string): Promise<void>
  press(key: 'Tab' | 'Enter' | ' '): Promise<void>
  type(text: string): Promise<void>
  /** Returns the value of an expression in the page. */
  evaluate<Result>(expression: string): Promise<Result>
}

/** A browser that has ended by itself. */
export class BrowserLost extends Error {
  override name = 'BrowserLost'
}

/** Wraps a page of Chromium for a person with a keyboard alone. */
export function keyboardOf(page: Page): Keyboard {
  return {
    open: async url => void (await page.goto(url)),
    press: key => page.keyboard.press(key),
    type: text => page.keyboard.type(text),
    evaluate: expression => page.evaluate(expression),
  }
}

/** Stops that a page may have. */
const MOST_STOPS = 120
/** A busy machine needs at most this many tries. */
const MOST_TRIES = 300
const LOOK_EVERY = 100

const FOCUS = `(() => {
  const at = document.activeElement
  const label = at.getAttribute('aria-label') ?? (at.labels?.[0] ?? at).textContent
  return [label.replace(/\\s+/g, ' ').trim(), at.matches('input, select, textarea')]
})()`
const TEXT = `document.readyState === 'complete' ? document.body.innerText : ''`

/** Goes through pages by Tab, Enter and Space. */
export class KeyboardWalk {
  readonly #keyboard: Keyboard
  /** How often Tab was pressed. */
  stops = 0

  constructor(keyboard: Keyboard) {
    this.#keyboard = keyboard
  }

  async open(url: string, says: string): Promise<void> {
    await this.#keyboard.open(url)
    await this.arrive(says)
  }

  /** Waits until the page says something. */
  async arrive(says: string): Promise<void> {
    let text = ''
    for (let looks = 0; looks < MOST_TRIES; looks++) {
      await wait(LOOK_EVERY)
      text = await this.#keyboard.evaluate<string>(TEXT).catch(error => {
        if (error instanceof BrowserLost || error?.name === 'TimeoutError') throw error
        // Between two pages there is none to ask.
        return ''
      })
      if (text.includes(says)) return
    }
    assert.fail(`It does not say ${says}: ${text}`)
  }

  /** Goes on by Tab to what has this label, as far as it is written: a field, or what is to be pressed. */
  async to(label: string, isField = false): Promise<void> {
    const passed: string[] = []
    while (passed.length < MOST_STOPS) {
      await this.#keyboard.press('Tab')
      this.stops++
      const [at, takesText] = await this.#keyboard.evaluate<[string, boolean]>(FOCUS)
      if (at.startsWith(label) && takesText === isField) return
      passed.push(at)
    }
    assert.fail(`Tab leads not to ${label}, but to ${passed.slice(0, 30).join(' | ')}`)
  }

  /** Leaves out the bar and the navigation. */
  async skip(label: string): Promise<void> {
    await this.to(label)
    await this.#keyboard.press('Enter')
  }

  /** Types into the field that gets the focus as soon as the page is there. */
  async typeFirst(label: string, text: string): Promise<void> {
    let at = ''
    for (let looks = 0; looks < MOST_TRIES; looks++) {
      const [found, takesText] = await this.#keyboard.evaluate<[string, boolean]>(FOCUS)
      if (takesText && found.startsWith(label)) return this.#keyboard.type(text)
      at = found
      await wait(LOOK_EVERY)
    }
    assert.fail(`${at} has the focus, not ${label}`)
  }

  /** Types into the field that has this label, and replaces what it had. In a list it chooses what begins so. */
  async type(label: string, text: string): Promise<void> {
    await this.to(label, true)
    await this.#keyboard.type(text)
  }

  async tick(label: string): Promise<void> {
    await this.to(label, true)
    await this.#keyboard.press(' ')
  }

  /** Presses a button, or follows a link, to the page that says something. */
  async press(label: string, says: string): Promise<void> {
    await this.to(label)
    await this.#keyboard.press('Enter')
    await this.arrive(says)
  }
}
