import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import type { startMailServer } from '#test/support/mail-server.ts'
import type { Ended } from '#test/support/server-process.ts'
import type { Placeholders } from './placeholders.ts'

export interface Program {
  mails: Awaited<ReturnType<typeof startMailServer>>
  /** Waits until no mail comes any more, because what is cancelled before its mail is sent mails nobody. */
  allMailed(): Promise<void>
  /** Runs a command on the data of the server. @returns its output */
  command(...args: string[]): Promise<string>
}

export interface Answer {
  path: string
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  location: string | undefined
  /** Undefined where the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the programs that are compared may answer differently
  body: any
}

export interface Sent {
  headers?: Record<string, string>
  /** It is sent as JSON; a string is sent as it is. */
  body?: unknown
  form?: URLSearchParams | FormData
}

/** These differ with the moment, or with the length of what is different. */
const VAGUE = /^(date|content-length|etag|last-modified|(x-)?ratelimit-.*|retry-after|age)$/
const TEXT =
  /^(text\/(html|plain|csv|calendar)|application\/(json|problem\+json|xml|manifest\+json|x-ndjson))/

const JSON_TYPE = { 'content-type': 'application/json' }

/** Asks a server, and writes down each request with its answer. */
export class Recording {
  origin = ''
  count = 0
  text = ''
  readonly #placeholders: Placeholders

  constructor(placeholders: Placeholders) {
    this.#placeholders = placeholders
  }

  /** A page that asks to be looked at again is asked for until it stands, because how often is a matter of time. */
  async ask(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    let answered = await this.#send(method, path, sent)
    for (let times = 0; times < 100 && answered.text.includes('http-equiv="refresh"'); times++) {
      await setTimeout(100)
      answered = await this.#send('GET', path, { headers: sent.headers ?? {} })
    }
    const { status, headers, text, type, bytes } = answered
    const { body, form } = sent
    this.note(
      [`${method} ${path}`, ...bodyLines(typeof body === 'object' ? JSON.stringify(body) : (form ?? body))],
      [
        String(status),
        ...Object.entries(headers)
          .map(([name, value]) => `${name}: ${VAGUE.test(name) ? '<vague>' : [value].flat().join('\n  ')}`)
          .toSorted(),
        '',
        ...(TEXT.test(type) || bytes.length === 0
          ? linesOf(/calendar/.test(type) ? text.replaceAll('\r\n ', '') : text)
          : [describeFile(path, type, bytes)]),
      ],
    )
    return {
      ...{ path, status, headers, text, location: headers.location as string | undefined },
      body: type.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined,
    }
  }

  async #send(method: string, path: string, { headers = {}, body, form }: Sent) {
    // It has the type that belongs to the body.
    const made = new Response(form ?? (typeof body === 'object' ? JSON.stringify(body) : (body as string)))
    const isForm = form !== undefined
    const type = isForm ? { 'content-type': made.headers.get('content-type') as string } : JSON_TYPE
    const answer = await request(this.origin + path, {
      method: method as 'GET',
      // Each request has a connection of its own, as a server may close one just when the next request begins.
      reset: true,
      headers: { ...(isForm || typeof body === 'object' ? type : {}), ...headers },
      body: isForm || body !== undefined ? Buffer.from(await made.arrayBuffer()) : null,
    })
    const sent = Buffer.from(await answer.body.arrayBuffer())
    const bytes = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    const kind = String(answer.headers['content-type'] ?? '')
    const text = TEXT.test(kind) ? bytes.toString() : ''
    return { status: answer.statusCode, headers: answer.headers, type: kind, bytes, text }
  }

  noteCommand(args: readonly string[], { code, stdout, stderr }: Ended): void {
    this.note([`turnout ${args.join(' ')}`], [String(code), ...linesOf(stdout), ...linesOf(stderr)])
  }

  /** Writes down what is no request, such as a mail. */
  note(asked: readonly string[], answered: readonly string[]): void {
    const at = ++this.count
    const [first = '', ...more] = asked
    const text = [`== ${at} ${first}`, ...more.map(line => `> ${line}`), ...answered].join('\n')
    this.text += `${this.#placeholders.put(text, at)}\n\n`
  }
}

function bodyLines(body: unknown): string[] {
  if (body === undefined) return []
  if (body instanceof FormData || body instanceof URLSearchParams)
    return [...body].map(([name, value]) => `${name}=${typeof value === 'string' ? value : value.name}`)
  const text = String(body)
  return [text.length > 2000 ? `${text.length} characters` : text]
}

/** One line for each element or field, so that a difference shows where it is. */
function linesOf(text: string): string[] {
  return text.replaceAll('><', '>\n<').replaceAll(',"', ',\n"').split('\n')
}

/** Files that are made for a reader have ids and times within, so only their kind is the same each time. */
function describeFile(path: string, type: string, bytes: Buffer): string {
  if (type === 'application/pdf') return `a PDF: ${bytes.subarray(0, 8).toString('latin1')}`
  if (/spreadsheetml|x509|aspen|octet-stream|sqlite/.test(type) || /\/qr\.|second-factor/.test(path))
    return `a file of ${type}`
  return `sha256 ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`
}
