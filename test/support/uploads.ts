import diagnostics from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { startDashboard } from './people/dashboard.ts'
import { openRaw } from './raw.ts'

export const BOUNDARY = 'xxBOUNDARYxx'
export const opening = (name: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`
export const CLOSING = `\r\n--${BOUNDARY}--\r\n`
export const HEADER = 'Name,Email,Ticket type\n'
export const LINE = 'Grace Hopper,grace@example.org,Free\n'

/** Starts a server with somebody who uploads files of guests, byte by byte. */
export async function startUploads(t: TestContext) {
  const server = await startDashboard(t)
  const { app, db, eventId } = server
  const path = `/manage/e/${eventId}/guests/import`
  let found: Server | undefined
  const see = (message: unknown) => {
    found = (message as { server: Server }).server
  }
  diagnostics.subscribe('http.server.request.start', see)
  const manager = await server.member('manager')
  await manager.open(path)
  diagnostics.unsubscribe('http.server.request.start', see)
  const http = found as Server
  const headOf = (session: string, headers: Record<string, string | number>) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      ...Object.entries({
        'Sec-Fetch-Site': 'same-origin',
        'Accept-Encoding': 'identity',
        Cookie: `session=${session}`,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        Connection: 'close',
        ...headers,
      }).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n')
  const session = manager.cookies.get('session') as string
  const open = (headers: Record<string, string | number>, by = session) => {
    const connection = openRaw(app.siteUrl)
    connection.socket.write(headOf(by, headers))
    return connection
  }
  const countJobs = () =>
    db.read(INSTANCE, async tx => (await tx.one<{ n: number }>('SELECT count(*) AS n FROM jobs'))?.n)
  return { ...server, path, http, manager, open, countJobs }
}

/** Writes no faster than it is taken. */
export function writeTo(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise(resolve => socket.write(bytes, () => resolve()))
}
