import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Context } from '../http/face.ts'
import { bodyOf } from '../http/sending.ts'

const compress = promisify(gzip)

/** Of every page for visitors: its own style and pictures, no script, and no request to anywhere else. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept-Encoding, Accept-Language',
}

/** A page as it goes out, made once for all who ask for it. */
export interface Rendered {
  whole: Buffer
  etag: string
  compressed: Promise<Buffer> | undefined
}

export function render(document: VNode): Rendered {
  const whole = Buffer.from(`<!doctype html>${renderToString(document)}`)
  const etag = createHash('sha256').update(whole).digest('base64url').slice(0, 22)
  return { whole, etag, compressed: undefined }
}

/** Answers with a page that everybody may see: whoever has it asks each time whether it is still the same. */
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
    rendered.compressed ??= compress(rendered.whole, { level: 9 })
    context.set('Content-Encoding', 'gzip')
  }
  send(context, isCompressed ? await (rendered.compressed as Promise<Buffer>) : rendered.whole)
}

/** Answers with a page for whoever asks alone. */
export function answerOnce(context: Context, status: number, document: VNode): void {
  context.set(HEADERS)
  context.status = status
  send(context, render(document).whole)
}

function acceptsGzip(context: Context): boolean {
  return context.acceptsEncodings('gzip', 'identity') === 'gzip'
}

function send(context: Context, bytes: Buffer): void {
  context.body = bodyOf(context.res, bytes)
  // Koa says what it takes bytes for.
  context.set('Content-Type', HEADERS['Content-Type'] as string)
  context.length = bytes.length
}
