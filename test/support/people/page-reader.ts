import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { getByLabelText, getByRole, queryAllByRole } from '@testing-library/dom'
import { JSDOM } from 'jsdom'
import { Agent, FormData, request } from 'undici'

/**
 * Reads pages as a person does who has no script: by what they say, following their links and sending their forms, with the
 * cookies of one browser.
 */
export class PageReader {
  readonly origin: string
  readonly cookies = new Map<string, string>()
  readonly #agent = new Agent({ pipelining: 1 })
  readonly #language: string

  /** @param origin `http://127.0.0.1:8080` */
  constructor(origin: string, language = 'en') {
    this.origin = origin
    this.#language = language
  }

  close(): Promise<void> {
    return this.#agent.close()
  }

  /** Opens an address, and goes where it leads. */
  open(path: string, headers: Record<string, string> = {}): Promise<ReadPage> {
    return this.#go('GET', path, undefined, headers)
  }

  /** Posts as a page of this site does; headers of another site replace its own. */
  post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<ReadPage> {
    return this.#go('POST', path, new URLSearchParams(fields).toString(), headers)
  }

  /** @param body urlencoded, or with files @param from the path of the page that has the form, which browsers tell */
  send(path: string, body: string | FormData, from: string): Promise<ReadPage> {
    return this.#go('POST', path, body, { referer: this.origin + from })
  }

  /** Downloads a file. */
  async download(path: string): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }> {
    const answer = await request(this.origin + path, {
      dispatcher: this.#agent,
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    return { status: answer.statusCode, headers: answer.headers, bytes }
  }

  async #go(
    method: 'GET' | 'POST',
    path: string,
    body: string | FormData | undefined,
    headers: Record<string, string>,
    hops = 0,
  ): Promise<ReadPage> {
    const answer = await request(this.origin + path, {
      method,
      dispatcher: this.#agent,
      headers: {
        'accept-language': this.#language,
        'sec-fetch-site': 'same-origin',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(typeof body !== 'string' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: body ?? null,
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keepCookie(line)
    const text = await answer.body.text()
    const location = answer.headers.location as string | undefined
    if (location !== undefined) {
      assert.ok(hops < 5, `It leads round and round: ${location}`)
      assert.match(location, /^\//, 'It leads elsewhere.')
      return this.#go('GET', location, undefined, {}, hops + 1)
    }
    return new ReadPage(this, path, answer.statusCode, text, answer.headers)
  }

  #keepCookie(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    assert.ok(attributes.includes('HttpOnly') && attributes.includes('SameSite=Lax'), line)
    if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** One for all pages: to make a window takes longer than to read a page, and no script runs in them. */
const dom = new JSDOM()
const { getComputedStyle } = dom.window
dom.window.getComputedStyle = styleOf
// Two things would keep every page of the process in memory, a megabyte each. What looks for elements listens for keys and clicks at
// the window, anew for each page, and nobody presses any here. And scripts find an element by its id as a property of the window:
// there are no scripts here.
dom.window.addEventListener = () => undefined
const ofWindow = createRequire(import.meta.url)('jsdom/lib/jsdom/living/window-properties.js')
ofWindow.elementAttached = () => undefined

/**
 * A page here has no style sheet but that of every browser, so elements that are alike in what it looks at have one style. To match
 * its rules anew for each element of each look-up took a fifth of the time of all tests of pages.
 */
function styleOf(element: Element): CSSStyleDeclaration {
  const key = [
    element.localName,
    ...STYLED_BY.map(name => element.getAttribute(name)),
    element.parentElement?.localName === 'details' && !element.parentElement.hasAttribute('open'),
  ].join('|')
  let style = styles.get(key)
  if (style === undefined) {
    style = getComputedStyle.call(dom.window, element)
    styles.set(key, style)
  }
  return style
}

const STYLED_BY = ['hidden', 'open', 'type', 'popover', 'style'] as const
const styles = new Map<string, CSSStyleDeclaration>()

/** @param url from which its addresses go on */
export function parsePage(html: string, url = 'about:blank'): Document {
  dom.reconfigure({ url })
  const document = new dom.window.DOMParser().parseFromString(html, 'text/html')
  // Whether a person sees an element, and by what role, is looked up through its window.
  return Object.defineProperty(document, 'defaultView', { value: dom.window })
}

/** Returns what a form would send. */
export function dataOf(form: HTMLFormElement, pressed?: HTMLElement) {
  return new dom.window.FormData(form, pressed)
}

/** A page, as it was answered. */
export class ReadPage {
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly html: string
  readonly #reader: PageReader
  #document: Document | undefined
  readonly #files = new Map<string, File>()

  constructor(
    reader: PageReader,
    path: string,
    status: number,
    html: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ) {
    this.#reader = reader
    this.path = path
    this.status = status
    this.html = html
    this.headers = headers
  }

  get document(): Document {
    this.#document ??= parsePage(this.html, this.#reader.origin + this.path)
    return this.#document
  }

  get title(): string {
    return this.document.title
  }

  get heading(): string {
    return textOf(getByRole(this.#body, 'heading', { level: 1 }))
  }

  /** Returns its text in one line. */
  get text(): string {
    return textOf(this.#body)
  }

  /** Returns the texts of alerts and status messages. */
  get messages(): string[] {
    return ['alert', 'status'].flatMap(role => queryAllByRole(this.#body, role).map(textOf))
  }

  get #body(): HTMLElement {
    return this.document.body
  }

  /** Returns the control whose label begins with these words. */
  field(label: string): HTMLInputElement {
    const wanted = startsWith(label)
    const [found, ...others] = [...this.document.querySelectorAll('label')].filter(each =>
      wanted.test(textOf(each)),
    )
    const isNamedElse = this.document.querySelector('[aria-label]:is(input, select, textarea)') !== null
    // The look-up by all that may label a control takes a second among a hundred of them.
    if (found?.control && others.length === 0 && !isNamedElse) return found.control as HTMLInputElement
    return getByLabelText<HTMLInputElement>(this.#body, wanted)
  }

  /** Types into controls, by their labels: of boxes, whether they are ticked. */
  fill(values: Record<string, string | boolean>): this {
    for (const [label, value] of Object.entries(values)) {
      const control = this.field(label)
      if (typeof value === 'boolean') control.checked = value
      else if (control.type === 'radio') control.checked = true
      else control.value = value
    }
    return this
  }

  /** Chooses a file, by the label of its control. */
  choose(label: string, name: string, content: string | Uint8Array<ArrayBuffer>): this {
    assert.equal(this.field(label).type, 'file')
    this.#files.set(this.field(label).name, new File([content], name))
    return this
  }

  /** Presses a button, and gives the page that it leads to. @param within the text of the row or card that it stands in */
  async press(name: string, within?: string): Promise<ReadPage> {
    const buttons = queryAllByRole<HTMLButtonElement>(this.#body, 'button', { name: startsWith(name) })
    const found = buttons.filter(each => within === undefined || textOf(placeOf(each)).includes(within))
    assert.equal(found.length, 1, `${found.length} buttons ${name}: ${this.text.slice(0, 300)}`)
    const [pressed] = found as [HTMLButtonElement]
    const form = pressed.form
    assert.ok(form !== null, `${name} is in no form`)
    const data = dataOf(form, pressed)
    const query = new URLSearchParams([...data].map(([key, value]) => [key, String(value)])).toString()
    const action = new URL(pressed.getAttribute('formaction') ?? form.action, form.action)
    const path = action.pathname + action.search
    if (form.enctype === 'multipart/form-data') {
      const body = new FormData()
      for (const [key, value] of data) {
        if (typeof value === 'string') body.append(key, value)
        else body.append(key, this.#files.get(key) ?? new File([], '', { type: 'application/octet-stream' }))
      }
      return this.#reader.send(path, body, this.path)
    }
    if (form.method === 'get') return this.#reader.open(`${action.pathname}?${query}`)
    return this.#reader.send(path, query, this.path)
  }

  /** Follows a link. @param within as of `press` */
  async follow(name: string, within?: string): Promise<ReadPage> {
    const links = queryAllByRole<HTMLAnchorElement>(this.#body, 'link', { name: startsWith(name) })
    const found = links.filter(each => within === undefined || textOf(placeOf(each)).includes(within))
    assert.ok(found.length > 0, `No link ${name}: ${this.text.slice(0, 300)}`)
    const { pathname, search } = new URL((found[0] as HTMLAnchorElement).href)
    return this.#reader.open(pathname + search)
  }

  /** Returns the texts of the rows of its table, without the head. */
  rows(): string[] {
    return [...this.document.querySelectorAll('tbody tr')].map(textOf)
  }

  links(): string[] {
    return queryAllByRole(this.#body, 'link').map(textOf)
  }
}

function placeOf(element: Element): Element {
  return element.closest('tr, li, .card, form') ?? element
}

function textOf(element: Element): string {
  return (element.textContent ?? '').replace(/\s+/gu, ' ').trim()
}

function startsWith(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u')
}
