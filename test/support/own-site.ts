import { once } from 'node:events'
import { request as ask } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { makeCertificates } from '#machinery/http/local-ca/certificates.ts'

/** A site of an organizer, with https and another origin than the service. */
export interface OwnSite {
  origin: string
  /** The pages by path: what stands in the body of each. They may be changed at any time. */
  pages: Record<string, string>
  /** The paths that were asked for. */
  asked: string[]
}

/**
 * Starts a server with https in front of another one, on this machine: WebKit shows no page of http within one of https, even of
 * this machine. @returns its origin
 */
export async function startInFront(t: Pick<TestContext, 'after'>, url: string): Promise<string> {
  const { cert, key } = makeCertificates(['localhost'], Date.now())
  const server = createServer({ cert, key }, (request, response) => {
    const { method, headers } = request
    const asked = ask(new URL(request.url ?? '/', url), { method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    request.pipe(asked)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

/** Starts one on this machine. Its certificate is of no authority, so that browsers must be told to take it. */
export async function startOwnSite(t: Pick<TestContext, 'after'>): Promise<OwnSite> {
  const { cert, key } = makeCertificates(['localhost'], Date.now())
  const pages: Record<string, string> = { '/favicon.ico': '' }
  const asked: string[] = []
  const server = createServer({ cert, key }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    asked.push(path)
    const body = pages[path]
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Own</title>` +
        `<body><main><h1>Our shows</h1>${body ?? ''}</main></body></html>`,
    )
  }).listen(0, 'localhost')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, pages, asked }
}
