import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Problem } from '#base/problem.ts'
import { AddressLimit, type AddressLimitOptions } from '#machinery/http/address-limit.ts'
import { isLoopback } from '#machinery/http/client-address.ts'
import type { Context, FaceRoute, Stage, State } from '#machinery/http/face.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { doorFiles } from './assets.ts'

const decompress = promisify(gunzip)

/** The page may use only its own files, and no code that is made of text. */
const STRICT: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=()',
}

/** The worker that reads codes has the policy of its own answer. Only this worker may compile WebAssembly. */
const OF_DECODER = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
}

const UNCHANGING = 'public, max-age=31536000, immutable'
/** The browser asks for these files again each time, because an old service worker would keep an old page alive. */
const CHANGING = 'no-cache'

/**
 * One address may send this many requests a minute. All phones of a venue may share an address, and each asks for a dozen files
 * twice.
 */
const MOST = 6_000

/** Serves the scanner's page and its files, below `/door`. */
export function pageRoutes(
  services: Pick<AddressLimitOptions, 'clock' | 'clientAddress'>,
): FaceRoute<State>[] {
  // This machine has no limit, because a proxy on it may not say which client it asks for.
  const addresses = new AddressLimit({ ...services, most: MOST, isExempt: isLoopback })
  const route = (path: string, answer: Stage): FaceRoute<State> => ({
    method: 'GET',
    path,
    logLevel: 'debug',
    stages: [addresses.stage, answer],
  })
  return [
    route('', async context => {
      context.redirect('/door/')
      context.body = ''
    }),
    route('/', context => answerFile(context, '', STRICT)),
    route('/worker.js', context => answerFile(context, 'worker.js', STRICT)),
    route('/manifest.webmanifest', context => answerFile(context, 'manifest.webmanifest', {})),
    route('/files/{file}', async context => {
      const [file = ''] = (context as Context & { captures: string[] }).captures
      const headers = file.startsWith('decoder.') ? OF_DECODER : {}
      await answerFile(context, `files/${file}`, headers, UNCHANGING)
    }),
  ]
}

/** @throws Problem not_found */
async function answerFile(
  context: Context,
  path: string,
  headers: Readonly<Record<string, string>>,
  cacheControl = CHANGING,
): Promise<void> {
  const file = (await doorFiles()).get(path)
  if (file === undefined) throw new Problem('not_found')
  const compressed = Buffer.from(file.gzip, 'base64')
  const isCompressed = context.acceptsEncodings('gzip', 'identity') === 'gzip'
  const sent = isCompressed ? compressed : await decompress(compressed)
  context.set(headers)
  context.set('Cache-Control', cacheControl)
  context.vary('Accept-Encoding')
  if (isCompressed) context.set('Content-Encoding', 'gzip')
  context.type = file.type
  context.body = bodyOf(context.res, sent)
  context.length = sent.length
}
