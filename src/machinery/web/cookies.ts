import type { IncomingMessage } from 'node:http'
import type { Context } from '../http/face.ts'

/** The name of the cookie of whoever is signed in. */
export const SESSION_COOKIE = 'session'

/** Longer headers are refused before. */
const MAX_VALUE = 4096

/**
 * The cookies of pages. On https their names say that no other host and no http page can have set them (RFC 6265bis,
 * section 4.1.3.2); over http, in a network of one's own, browsers would refuse such names.
 */
export class Cookies {
  readonly #isSecure: boolean

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
  }

  #nameOf(name: string): string {
    return this.#isSecure ? `__Host-${name}` : name
  }

  /** The first of that name. */
  read(request: IncomingMessage, name: string): string | undefined {
    const sought = `${this.#nameOf(name)}=`
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const trimmed = pair.trim()
      if (trimmed.startsWith(sought) && trimmed.length <= MAX_VALUE) return trimmed.slice(sought.length)
    }
    return undefined
  }

  /** @param value of characters that need no escape; @param maxAge seconds */
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
