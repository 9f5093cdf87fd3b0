import type { IncomingMessage } from 'node:http'

/**
 * Returns the values of a header, one for each time it was sent. Node joins those of some headers, and drops all but the first of
 * others.
 *
 * @param name in lower case
 */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, at) => {
    const sent = at % 2 === 1 ? (rawHeaders[at - 1] as string) : ''
    return sent.length === name.length && sent.toLowerCase() === name
  })
}

/**
 * Returns whether it is certain where the body of a request ends. A transfer coding must be chunked alone, and with HTTP/1.1 (RFC
 * 9112, sections 6.1 and 6.3). A proxy that reads anything else in another way would take a part of the body for a request.
 */
export function isWellFramed(request: IncomingMessage): boolean {
  const codings = valuesOf(request, 'transfer-encoding')
  if (codings.length === 0) return true
  const [coding = '', ...others] = codings
  return others.length === 0 && request.httpVersion === '1.1' && coding.toLowerCase() === 'chunked'
}
