import type { Command } from 'commander'
import { Refusal } from '#base/refusal.ts'
import { askHealth } from '#machinery/ops/ask-health.ts'
import { flag, jsonFlag, readFlag, wholeNumber } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

interface HealthyFlags {
  host?: string
  port?: string
  tlsCert?: string
  localCa?: boolean
  json?: boolean
}

export function addHealthy(program: Command, terminal: Terminal): void {
  program
    .command('healthy')
    .description('ask the server of this machine whether it can write to its database, as a container does')
    .addOption(flag('--host <address>', 'the address that the server listens on; default 127.0.0.1'))
    .addOption(flag('--port <number>', 'its port; default 8080'))
    .addOption(flag('--tls-cert <file>', 'says that the server serves https; the file is not read'))
    .addOption(
      flag('--local-ca', 'says that it does so by a certificate of its own, on port 8443 by default'),
    )
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout healthy --port 8080')
    .action(async (flags: HealthyFlags) => {
      const url = readAddress(flags)
      const { status, body } = await ask(url)
      if (flags.json) printJson(terminal, { ok: status === 200, url, ...readDetails(body) })
      if (status !== 200) throw new Refusal(explainStatus(url, status))
      if (!flags.json) terminal.out(`The server at ${url} is healthy.\n`)
    })
}

function explainStatus(url: string, status: number): string {
  return status === 503
    ? `The server at ${url} cannot write to its database.`
    : `What listens at ${url} is no server of Turnout: it answers ${status}.`
}

/** @returns where a server with these settings answers on its own machine @throws Problem invalid_parameter */
function readAddress({ host, port, tlsCert, localCa }: HealthyFlags): string {
  const isLocalCa = localCa === true
  const number =
    port === undefined ? (isLocalCa ? 8443 : 8080) : readFlag('--port', wholeNumber(1, 65_535), port)
  const scheme = isLocalCa || tlsCert !== undefined ? 'https' : 'http'
  return `${scheme}://${ownAddress(host ?? '127.0.0.1')}:${number}`
}

/** A server that listens on every address is asked by the one of this machine alone. */
function ownAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** @throws Refusal if there is no answer in time, or one without end */
async function ask(url: string): Promise<{ status: number; body: string }> {
  try {
    const { status, body } = await askHealth(url)
    if (body === undefined) throw Object.assign(new Error(), { code: 'EMSGSIZE' })
    return { status, body }
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    throw new Refusal(`The server at ${url} does not answer (${code ?? name}).`, { cause: error })
  }
}

/** Returns what the server says of its health, or nothing where another program answers. */
function readDetails(body: string): object {
  try {
    const { status, details = [] } = JSON.parse(body)
    return { status, details }
  } catch {
    return {}
  }
}
