import type { Clock } from '#base/time.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import type { KnownDevices } from './known-device.ts'
import { ofPerson, ofPlace, ofStranger, type Waiter } from './scrypt-lanes.ts'
import * as sessions from './sessions.ts'
import type { UserRow } from './store.ts'
import type { Places } from './tries.ts'

/** How a request is recognized before its password is checked, and what follows from that. */
export interface Recognized {
  /** Whether neither the device nor the address is one of the person's. */
  isStranger: boolean
  /**
   * The names under which tries at the password, and at the code after it, are counted. A made-up e-mail leads to neither name.
   */
  password: string
  code: string
  waiter: Waiter
}

/** The caller, as far as a request identifies one. */
export interface Claim {
  address: string
  /** The cookie of `KnownDevices`, as it was sent. */
  device?: string | undefined
}

/** Returns the name under which tries at an e-mail by all strangers are counted. */
export function anywhere(emailKey: string): string {
  return `anywhere ${emailKey}`
}

/**
 * Finds out whether somebody asks from a device where the person has signed in before, from an address where they are signed in
 * now, or from anywhere else. Tries from each of these are counted apart, so that others cannot use them up from elsewhere.
 *
 * @param user undefined if nobody has the e-mail. That takes the same time
 */
export async function recognize(
  tx: InstanceReadTx,
  { devices, places, clock }: { devices: KnownDevices; places: Places; clock: Clock },
  { address, device: cookie }: Claim,
  { key, user }: { key: string; user: UserRow | undefined },
): Promise<Recognized> {
  const group = places.groupOf(address)
  const open = await sessions.list(tx, user?.id ?? '', clock())
  const isPlace = open.some(session => session.address !== null && places.groupOf(session.address) === group)
  const device = devices.read(cookie)
  const proof = devices.proofOf(device, user)
  const name = isPlace ? `place ${group} ${key}` : anywhere(key)
  if (user !== undefined && device !== undefined && proof !== undefined) {
    const own = `device ${device.id} ${user.id}`
    const code = proof === 'sign-in' ? own : name
    return { isStranger: false, password: own, code, waiter: ofPerson(user.id, own) }
  }
  const waiter = isPlace ? ofPlace(group) : ofStranger(group, places.networkOf(address))
  return { isStranger: !isPlace, password: name, code: name, waiter }
}
