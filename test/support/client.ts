import { Agent, request } from 'undici'
import { checkAnswer } from './api-document.ts'
import { noteExercised } from './exercised.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The text as it was sent: a byte-order mark stays. */
  text: string
  /** Undefined where the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: checked against the OpenAPI document when it was received
  body: any
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface Options {
  /** It is sent as JSON; a string or bytes are sent as they are. */
  body?: unknown
  headers?: Record<string, string>
  /** Instead of the client's own key; null sends none. */
  key?: string | null
}

/** Speaks to a server over a real socket, and holds every answer against the OpenAPI document. */
export class Client {
  readonly url: string
  readonly key: string | undefined
  readonly #agent: Agent

  /** @param url with the version: `http://127.0.0.1:8080/v1` */
  constructor(url: string, key?: string, connections = 50) {
    this.url = url
    this.key = key
    this.#agent = new Agent({ connections, pipelining: 1 })
  }

  get(path: string, options?: Options): Promise<Answer> {
    return this.send('GET', path, options)
  }

  post(path: string, body?: unknown, options?: Options): Promise<Answer> {
    return this.send('POST', path, body === undefined ? options : { body, ...options })
  }

  async send(
    method: string,
    path: string,
    { body, headers = {}, key = this.key }: Options = {},
  ): Promise<Answer> {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const response = await request(this.url + path, {
      method: method as 'GET',
      dispatcher: this.#agent,
      headers: {
        ...(key === null || key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: (raw ? body : JSON.stringify(body)) as string | null,
    })
    const text = utf8.decode(await response.body.arrayBuffer())
    const status = response.statusCode
    const answered = checkAnswer({ method, path, status, headers: response.headers, text })
    if (answered !== undefined) noteExercised(answered)
    const isJson = text !== '' && String(response.headers['content-type']).startsWith('application/json')
    return { status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  /** Returns every row of a list, page by page. */
  // biome-ignore lint/suspicious/noExplicitAny: checked against the OpenAPI document when it was received
  async walk(path: string, onPage?: (page: Answer) => Promise<void> | void): Promise<any[]> {
    const rows = []
    for (let cursor = ''; ; ) {
      const joint = path.includes('?') ? '&' : '?'
      const page = await this.get(cursor === '' ? path : `${path}${joint}starting_after=${cursor}`)
      if (page.status !== 200) throw new Error(`${path} -> ${page.status} ${page.text}`)
      rows.push(...page.body.data)
      await onPage?.(page)
      cursor = page.body.next_cursor
      if (!page.body.has_more) return rows
    }
  }

  close(): Promise<void> {
    return this.#agent.close()
  }
}
