import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AddressLimit, type AddressLimitOptions } from '../http/address-limit.ts'
import { isLoopback } from '../http/client-address.ts'
import type { Context, FaceRoute, Stage, State } from '../http/face.ts'
import { bodyOf } from '../http/sending.ts'
import { Problem } from '../problem.ts'
import { doorFiles } from './assets.ts'

const decompress = promisify(gunzip)

/** Nothing but its own, and no code that is made of text. */
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

/** Of the thread that reads codes, whose policy is that of its own answer: it alone may compile WebAssembly. */
const OF_DECODER = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
}

const UNCHANGING = 'public, max-age=31536000, immutable'
/** Asked for again each time: an old service worker would keep an old page alive. */
const CHANGING = 'no-cache'

/** Requests a minute of one address: behind that of a venue are all its phones, and each asks for a dozen files twice. */
const MOST = 6_000

/** The scanner's page and its files, below `/door`. */
export function pageRoutes(
  services: Pick<AddressLimitOptions, 'clock' | 'clientAddress'>,
): FaceRoute<State>[] {
  // None for this machine: a proxy on it may not say whom it asks for.
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
