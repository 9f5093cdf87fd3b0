import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { h, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Context } from '#machinery/http/face.ts'
import { bodyOf, streamOf } from '#machinery/http/sending.ts'
import { expectForms } from './form-body.ts'
import { renderInSlices } from './slices.tsx'

const compress = promisify(gzip)

/** Bytes below which compressing gains nothing. */
const MIN_COMPRESSED = 1024

/** A window of another site that opens a page, or is opened by it, has no hold on it. */
const OPENER_POLICY = { 'Cross-Origin-Opener-Policy': 'same-origin' }

/** The headers of every page. A page may use its own style and script, and makes no request to anywhere else. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'same-origin',
  ...OPENER_POLICY,
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

const DOCTYPE = Buffer.from('<!doctype html>')

/** Answers with a whole document. */
export async function answerPage(context: Context, status: number, document: VNode): Promise<void> {
  // What is shown was read in this turn.
  await nextTurn()
  const bytes = Buffer.concat([DOCTYPE, await renderInSlices(document)])
  const isCompressed =
    bytes.length >= MIN_COMPRESSED && context.acceptsEncodings('gzip', 'identity') === 'gzip'
  const sent = isCompressed ? await compress(bytes, { level: 4 }) : bytes
  context.status = status
  context.set(PAGE_HEADERS)
  context.vary('Accept-Encoding')
  if (isCompressed) context.set('Content-Encoding', 'gzip')
  context.type = 'text/html; charset=utf-8'
  context.body = bodyOf(context.res, sent)
  context.length = sent.length
  expectForms()
}

/** Marks the place of the rows in a document. The text of people is escaped, so the mark occurs only once. */
const PLACE = '<rows-that-follow></rows-that-follow>'

/** Returns the place of rows that are written while they are read. */
export function RowsThatFollow(): VNode {
  return h('rows-that-follow', null)
}

/**
 * Answers with a document whose rows are written in parts as they are read, so only one part is in memory. The answer is not
 * compressed. If reading fails, the connection is broken off, because half a list must not pass for a whole one.
 *
 * @param document contains a `RowsThatFollow`
 */
export function answerLongPage(
  context: Context,
  document: VNode,
  parts: AsyncIterable<readonly VNode[]>,
  onFailure: (error: unknown) => void,
): void {
  const [head, foot, ...more] = renderToString(document).split(PLACE)
  if (foot === undefined || more.length > 0) throw new Error('A long page has one place for its rows.')
  context.status = 200
  context.set(PAGE_HEADERS)
  context.type = 'text/html; charset=utf-8'
  context.body = streamOf(context.res, write(`<!doctype html>${head}`, parts, foot), onFailure)
}

async function* write(
  head: string,
  parts: AsyncIterable<readonly VNode[]>,
  foot: string,
): AsyncGenerator<string> {
  yield head
  for await (const rows of parts) yield rows.map(row => renderToString(row)).join('')
  yield foot
}

/**
 * Redirects to a page.
 *
 * @param status 303 after a POST leads to an address with GET, so that the browser sends nothing again
 */
export function redirectTo(context: Context, location: string, status: 302 | 303 = 303): void {
  context.status = status
  // Browsers compare the policy of each answer on the way: without it here, every form that is sent would cost them a new process.
  context.set(OPENER_POLICY)
  context.set('Location', location)
  context.body = ''
  context.remove('Content-Type')
}
