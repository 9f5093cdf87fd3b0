import { isIP, isIPv4 } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { withoutBrackets } from '#base/url-host.ts'

/** Network interfaces of virtual machines, containers and tunnels. No phone in the room is in one of these networks. */
const VIRTUAL =
  /^(docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|tun|tap|utun|wg|tailscale|zt|ppp|lxc|cni|podman)/i
const ANY = /^(0\.0\.0\.0|::)$/
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/
/** The address ranges that routers of a venue use, the most usual first. */
const USUAL = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./]

/** The names and addresses of a machine. */
export interface MachineNames {
  /** The name that somebody asked for: the host of `--base-url`, or the only address to listen on. */
  wanted: string | undefined
  /** The addresses by which phones may reach the machine, the likeliest first. */
  addresses: readonly string[]
  /** Other names that somebody may try. */
  others: readonly string[]
}

type Interfaces = ReturnType<typeof networkInterfaces>

/** Reads the names of this machine. @param host the address to listen on */
export function readMachineNames(
  host: string,
  baseUrl: string | undefined,
  machine: { interfaces: Interfaces; name: string } = { interfaces: networkInterfaces(), name: hostname() },
): MachineNames {
  const own = baseUrl === undefined ? undefined : withoutBrackets(new URL(baseUrl).hostname)
  const found = ANY.test(host) ? findAddresses(machine.interfaces) : { real: [], virtual: [] }
  const name = machine.name.toLowerCase()
  const others = [`${name.split('.')[0]}.local`, name, 'localhost', '127.0.0.1', ...found.virtual]
  return {
    wanted: own ?? (ANY.test(host) ? undefined : host),
    addresses: isIP(host) === 0 || ANY.test(host) ? found.real : [host],
    others: others.filter(each => isIP(each) !== 0 || DNS_NAME.test(each)),
  }
}

/** Returns the distinct names of all kinds. */
export function everyName({ wanted, addresses, others }: MachineNames): string[] {
  return [...new Set([...(wanted === undefined ? [] : [wanted]), ...addresses, ...others])]
}

/** Returns IPv4 addresses only. A machine has many IPv6 addresses and changes them by itself. */
function findAddresses(interfaces: Interfaces): { real: string[]; virtual: string[] } {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ address, internal }) => !internal && isIPv4(address) && !address.startsWith('169.254.'))
      .map(({ address }) => ({ address, isVirtual: VIRTUAL.test(name) })),
  )
  const pick = (isVirtual: boolean) =>
    found
      .filter(each => each.isVirtual === isVirtual)
      .map(({ address }) => address)
      .sort((one, other) => rankOf(one) - rankOf(other))
  return { real: pick(false), virtual: pick(true) }
}

function rankOf(address: string): number {
  const usual = USUAL.findIndex(range => range.test(address))
  return usual < 0 ? USUAL.length : usual
}
