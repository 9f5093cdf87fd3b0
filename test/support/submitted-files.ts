import diagnostics from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { submissionUrl, submitterUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { startSale } from './people/sale.ts'
import { openRaw } from './raw.ts'
import type { ServerOptions } from './server.ts'
import { begin, openCall } from './submissions.ts'

export const BOUNDARY = 'xxBOUNDARYxx'
export const opening = (name: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n`
export const CLOSING = `\r\n--${BOUNDARY}--\r\n`

/** Starts a server with an open call that takes files, and a draft. */
export async function startWithDraft(
  t: TestContext,
  changes: Parameters<typeof openCall>[1] = {},
  options?: ServerOptions,
) {
  const sale = await startSale(t, {}, { takes_abstracts: true }, options)
  await openCall(sale, { file: 'optional', max_file_mib: 1, ...changes })
  const { db, accountId, app, visitor, path } = sale
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: '', secret: row?.cursor_secret as string }
  const beginOne = async (more: Parameters<typeof begin>[1] = {}) => {
    const { submission, submitter } = await begin(sale, more)
    const own = submissionUrl(server, submitter, submission)
    return { submission, submitter, own, all: submitterUrl(server, submitter) }
  }
  const draft = await beginOne()
  const { own, submission } = draft
  /** Sends a file as a browser does: from the page, by its button. */
  const attach = async (name: string, bytes: Uint8Array<ArrayBuffer> | string, from = own) => {
    const page = await visitor().open(from)
    const button = /Replace the file/.test(page.text) ? 'Replace the file' : 'Attach the file'
    return page.choose('Choose a PDF', name, bytes).press(button)
  }
  const download = (address = own) => visitor().download(`${address}/file`)
  /** Begins to send a file by hand. */
  const open = (length: number, address = own, headers: Record<string, string> = {}) => {
    const connection = openRaw(app.siteUrl)
    connection.socket.write(
      [
        `POST ${address}/file HTTP/1.1`,
        'Host: localhost',
        ...Object.entries({
          'Sec-Fetch-Site': 'same-origin',
          'Accept-Encoding': 'identity',
          Accept: 'text/html',
          'Accept-Language': 'en',
          'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
          'Content-Length': String(length),
          Connection: 'close',
          ...headers,
        }).map(([name, value]) => `${name}: ${value}`),
        '\r\n',
      ].join('\r\n'),
    )
    return connection
  }
  /** Returns the server of the pages, whose times a test may shorten. */
  const findHttp = async () => {
    let found: Server | undefined
    const see = (message: unknown) => {
      found = (message as { server: Server }).server
    }
    diagnostics.subscribe('http.server.request.start', see)
    await visitor().open(path)
    diagnostics.unsubscribe('http.server.request.start', see)
    return found as Server
  }
  const read = async () => db.read(accountId, tx => submissions.get(tx, submission.id))
  const abstracts = async () => (await sale.client.get('/abstracts')).body.data
  return { ...sale, ...draft, server, beginOne, attach, download, open, findHttp, read, abstracts }
}
