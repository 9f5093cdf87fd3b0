import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as it arrived. */
export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
  parsed: ParsedMail
  /** When it arrived, by the machine's clock. */
  at: number
}

/** Scripts the answers of the server. Undefined takes the mail. */
export interface MailScript {
  connect?: () => Refusal | undefined
  from?: (address: string) => Refusal | undefined
  to?: (address: string) => Refusal | undefined
  /** It is called before the mail is taken, and refuses or waits. `drop` breaks the connection off, with the mail taken or not. */
  data?: (to: string) => Refusal | Drop | Promise<undefined> | undefined
}

export interface Refusal {
  code: number
  message: string
}

export type Drop = 'drop, not taken' | 'drop, taken'

/** Starts a mail server on a real socket whose answers a test sets. */
export async function startMailServer(t: Pick<TestContext, 'after'>, options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  const script: MailScript = {}
  const refuse = ({ code, message }: Refusal) => Object.assign(new Error(message), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_, done) => {
      const answer = script.connect?.()
      done(answer === undefined ? null : refuse(answer))
    },
    onMailFrom: ({ address }, _, done) => {
      const answer = script.from?.(address)
      done(answer === undefined ? null : refuse(answer))
    },
    onRcptTo: ({ address }, _, done) => {
      const answer = script.to?.(address)
      done(answer === undefined ? null : refuse(answer))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', async () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const raw = Buffer.concat(chunks)
        const take = async () => {
          const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
          const at = Date.now()
          received.push({ from, to, raw: raw.toString('latin1'), parsed: await simpleParser(raw), at })
        }
        const answer = await script.data?.(to[0] as string)
        if (answer === 'drop, not taken' || answer === 'drop, taken') {
          if (answer === 'drop, taken') await take()
          for (const connection of server.connections) {
            if (connection.session.id === session.id) connection.close()
          }
          return
        }
        if (answer !== undefined) return done(refuse(answer))
        await take()
        done(null, 'Taken')
      })
    },
    ...options,
  })
  // The test that makes a client fail reports it.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const stop = () => new Promise<void>(resolve => server.close(() => resolve()))
  t.after(stop)
  return { url: `smtp://127.0.0.1:${port}`, port, received, script, stop }
}
