import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { bodyOf } from '#machinery/http/sending.ts'
import type { Stage } from '../context.ts'
import type { PublicPage } from '../route.ts'

const compress = promisify(gzip)

/** Answers with a page that is the same for everybody. It makes and compresses the page only once. */
export function answerPublic({ type, headers, body }: PublicPage): Stage {
  let plain: Buffer | undefined
  let compressed: Promise<Buffer> | undefined
  return async context => {
    plain ??= Buffer.from(body())
    const isCompressed = context.acceptsEncodings('gzip', 'identity') === 'gzip'
    let sent = plain
    if (isCompressed) {
      // A compression that failed for want of memory is tried again at the next request.
      compressed ??= compress(plain).catch(error => {
        compressed = undefined
        throw error
      })
      sent = await compressed
    }
    context.set(headers)
    context.vary('Accept-Encoding')
    if (isCompressed) context.set('Content-Encoding', 'gzip')
    context.type = type
    context.body = bodyOf(context.res, sent)
    context.length = sent.length
  }
}
