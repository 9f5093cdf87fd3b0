import type { AddressInfo, Server } from 'node:net'
import { Refusal } from '#base/refusal.ts'

export interface Place {
  host: string
  /** 0 means any free port. */
  port: number
  /** The flags of the host and the port, for the sentence when they cannot be used. */
  hostFlag: string
  portFlag: string
}

/**
 * Listens, and returns the address as URLs have it: `127.0.0.1:8080`.
 *
 * @throws Refusal
 */
export async function listen(server: Server, place: Place): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(explainListening(error, place)))
    server.listen(place.port, place.host, resolve)
  })
  const { address, port, family } = server.address() as AddressInfo
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

export function explainListening(error: NodeJS.ErrnoException, place: Place): Error {
  const sentence = sentenceFor(error.code, place)
  return sentence === undefined ? error : new Refusal(sentence, { cause: error })
}

function sentenceFor(code: string | undefined, { host, port, hostFlag, portFlag }: Place) {
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is already in use. Choose another port with ${portFlag}; 0 picks a free one.`
    case 'EACCES':
    case 'EPERM':
      return `${where} may not be used by this user. Choose a port from 1024 on with ${portFlag}, or grant CAP_NET_BIND_SERVICE.`
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return `${host} is no address of this machine. Choose another with ${hostFlag}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return `${hostFlag} ${host} is no name that resolves to an address.`
    default:
      return undefined
  }
}
