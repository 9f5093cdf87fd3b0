import type { IncomingMessage } from 'node:http'
import type { Context } from '#machinery/http/face.ts'

/** The name of the cookie of a person who is signed in. */
export const SESSION_COOKIE = 'session'

/** The most characters of a cookie that is read, with its name. */
const MAX_VALUE = 4096

/**
 * The cookies of pages. On https their names show that no other host and no http page has set them (RFC 6265bis, section
 * 4.1.3.2). Over http, in a private network, browsers would refuse such names.
 */
export class Cookies {
  readonly #isSecure: boolean

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
  }

  #nameOf(name: string): string {
    return this.#isSecure ? `__Host-${name}` : name
  }

  /** Returns the first cookie of that name. */
  read(request: IncomingMessage, name: string): string | undefined {
    const sought = `${this.#nameOf(name)}=`
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const trimmed = pair.trim()
      if (trimmed.startsWith(sought) && trimmed.length <= MAX_VALUE) return trimmed.slice(sought.length)
    }
    return undefined
  }

  /** Sets a cookie. @param value of characters that need no escape; @param maxAge seconds */
  set(context: Context, name: string, value: string, maxAge: number): void {
    const parts = [
      `${this.#nameOf(name)}=${value}`,
      'Path=/',
      `Max-Age=${maxAge}`,
      'HttpOnly',
      'SameSite=Lax',
    ]
    if (this.#isSecure) parts.push('Secure')
    context.append('Set-Cookie', parts.join('; '))
  }

  clear(context: Context, name: string): void {
    this.set(context, name, '', 0)
  }
}
