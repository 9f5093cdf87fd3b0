import { dataOf, parsePage } from '#test/support/people/page-reader.ts'
import type { Answer, Recording } from './recording.ts'

/** Stands for the first choice of a list or of radio buttons. */
export const FIRST = Symbol('first').toString()

const MOST_HOPS = 3

/** A person with a browser without scripts, whose requests are recorded. It is led nowhere by itself. */
export class Visitor {
  readonly #recording: Recording
  readonly #language: string
  readonly #cookies = new Map<string, string>()

  constructor(recording: Recording, language = 'en') {
    this.#recording = recording
    this.#language = language
  }

  /** What its browser sends with each request. */
  get headers(): Record<string, string> {
    return {
      ...{ accept: 'text/html', 'accept-language': this.#language, 'sec-fetch-site': 'same-origin' },
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    }
  }

  open(path: string): Promise<Answer> {
    return this.#ask('GET', path)
  }

  /**
   * Sends a form of a page, with what is typed into it, and opens where that leads.
   *
   * @param which finds the button by the path that the form is sent to, and what is written on it: `/sign-in Sign in`
   */
  async send(page: Answer, which: RegExp, typed: Record<string, string | File> = {}): Promise<Answer> {
    const document = parsePage(page.text, this.#recording.origin + page.path)
    const found = buttonsOf(document).find(({ action, button }) =>
      which.test(`${action} ${button.textContent}`),
    )
    if (found === undefined) {
      this.#recording.note([`no form ${which} at ${page.path}`], [])
      return page
    }
    const { form, button } = found
    const data = new Map([...dataOf(form, button)].map(([name, value]) => [name, String(value)]))
    const sent = form.enctype === 'multipart/form-data' ? new FormData() : new URLSearchParams()
    for (const [name, value] of new Map<string, string | File>([...data, ...Object.entries(typed)]))
      sent.append(name, (value === FIRST ? firstOf(form, name) : value) as string)
    const answer = await this.#ask('POST', found.action, sent)
    return this.#follow(answer)
  }

  async #follow(answer: Answer, hops = 0): Promise<Answer> {
    if (answer.location === undefined || hops === MOST_HOPS) return answer
    const path = pathOf(answer.location, this.#recording.origin + answer.path)
    return this.#follow(await this.open(path), hops + 1)
  }

  /** Posts what no page offers. */
  post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
    return this.#ask('POST', path, new URLSearchParams(fields), headers)
  }

  async #ask(
    method: string,
    path: string,
    form?: URLSearchParams | FormData,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await this.#recording.ask(method, path, {
      headers: { ...this.headers, ...headers },
      ...(form === undefined ? {} : { form }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split('; ')
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
}

function firstOf(form: HTMLFormElement, name: string): string {
  const choices = form.querySelectorAll<HTMLOptionElement | HTMLInputElement>(
    `[name="${name}"] option, input[type="radio"][name="${name}"]`,
  )
  return [...choices].find(({ value }) => value !== '')?.value ?? ''
}

function pathOf(address: string, from: string): string {
  const { pathname, search } = new URL(address, from)
  return pathname + search
}

/** Returns each form with the button that sends it, and the path that it is sent to. */
function buttonsOf(document: Document) {
  return [...document.forms]
    .filter(({ method }) => method === 'post')
    .flatMap(form => {
      const buttons = [...form.querySelectorAll<HTMLButtonElement>('button')]
      return buttons.map(button => {
        const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
        return { form, button, action: pathOf(action, document.URL) }
      })
    })
}

/** Returns the paths of this site that a page links to. */
export function linksOf(answer: Answer, origin: string): string[] {
  const document = parsePage(answer.text, origin + answer.path)
  return [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
    .map(({ href }) => new URL(href))
    .filter(url => url.origin === origin)
    .map(({ pathname, search }) => pathname + search)
}
