import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Context } from '#machinery/http/face.ts'
import { bodyOf } from '#machinery/http/sending.ts'

const compress = promisify(gzip)
const HTML = 'text/html; charset=utf-8'

const NO_FRAME = "frame-ancestors 'none'"
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  NO_FRAME,
].join('; ')

/** Every page for visitors may use only its own style and pictures. It has no script and sends no request anywhere else. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept-Encoding, Accept-Language',
}

/** The server sends a page in this form. It is made once for all visitors. */
export interface Rendered {
  plain: Buffer
  etag: string
  type: string
  compressed: Promise<Buffer> | undefined
}

export function render(document: VNode): Rendered {
  return renderText(`<!doctype html>${renderToString(document)}`, HTML)
}

/** Does the same for a file that is text. */
export function renderText(text: string, type: string): Rendered {
  const plain = Buffer.from(text)
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return { plain, etag, type, compressed: undefined }
}

/** Answers with a page that everybody may see. A browser that has the page asks each time whether it is still the same. */
export async function answerKept(context: Context, rendered: Rendered): Promise<void> {
  const isCompressed = acceptsGzip(context)
  context.set(HEADERS)
  context.set('Cache-Control', 'no-cache')
  context.set('ETag', isCompressed ? `"${rendered.etag}-gzip"` : `"${rendered.etag}"`)
  context.status = 200
  if (context.fresh) {
    context.status = 304
    return
  }
  if (isCompressed) {
    rendered.compressed ??= compress(rendered.plain, { level: 9 })
    context.set('Content-Encoding', 'gzip')
  }
  const sent = isCompressed ? await (rendered.compressed as Promise<Buffer>) : rendered.plain
  send(context, sent, rendered.type)
}

/** Answers with a page that only this visitor may see. */
export function answerOnce(context: Context, status: number, document: VNode): void {
  context.set(HEADERS)
  context.status = status
  send(context, render(document).plain, HTML)
}

/** Does so with a page whose own script saves what is typed. It works without that script too. */
export function answerScripted(context: Context, status: number, document: VNode): void {
  answerOnce(context, status, document)
  context.set('Content-Security-Policy', `${POLICY}; script-src 'self'; connect-src 'self'`)
}

/**
 * Does so with a page for frames of the sites with these origins, and of no other site. Its script only tells them its height, and
 * it works without that script too.
 */
export function answerFramed(context: Context, document: VNode, origins: readonly string[]): void {
  answerOnce(context, 200, document)
  const framed =
    origins.length === 0 ? POLICY : POLICY.replace(NO_FRAME, `frame-ancestors ${origins.join(' ')}`)
  context.set('Content-Security-Policy', `${framed}; script-src 'self'`)
  // Frames are the same for all visitors, and a change of them is seen at once.
  context.set('Cache-Control', 'no-cache')
}

/** Answers with a file to keep, which no cache keeps. @param name of the file, in ASCII */
export function sendFile(context: Context, type: string, name: string, file: Buffer): void {
  context.set('Content-Disposition', `attachment; filename="${name}"`)
  context.set('Cache-Control', 'no-store')
  send(context, file, type)
}

function acceptsGzip(context: Context): boolean {
  return context.acceptsEncodings('gzip', 'identity') === 'gzip'
}

function send(context: Context, bytes: Buffer, type: string): void {
  context.body = bodyOf(context.res, bytes)
  // Koa sets a content type of its own for bytes, so this comes after the body.
  context.set('Content-Type', type)
  context.length = bytes.length
}
