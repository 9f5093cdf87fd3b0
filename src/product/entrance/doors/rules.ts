import { randomBytes } from 'node:crypto'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { MINUTE, toIso } from '#base/time.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import { hashToken, isLive, isToken, newToken } from '#product/administration/users/token.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { type Device, type NewDevice, presentDevice, typeIdsOf } from './schemas.ts'
import * as store from './store.ts'

/** The page of scanners is at this path, below the address of a server. */
export const DOOR_PATH = '/door'

/** A secret can pair a device for this long, in milliseconds. */
export const PAIRING_TIME = 15 * MINUTE
/** An event has at most this many devices. The largest venue has some hundred doors. */
const MOST_DEVICES = 1_000
/** One device may send at most this many scans, which is three a second for a day. */
const MOST_SCANS = 250_000
/** A revoked device may send this many scans, which a phone may still hold. */
const MOST_SCANS_OF_REVOKED = 20_000
/** The last sign of a device may be out of date by this many milliseconds. */
const SEEN_EVERY = MINUTE

/** Holds the link that pairs a phone, for 15 minutes. It is shown once. */
export interface Pairing {
  id: string
  name: string
  event_id: string
  /** The secret is in the fragment of the address, which no server receives. */
  pairing_url: string
  expires_at: string
}

/**
 * Makes a door of an event, for a phone to be paired with.
 *
 * @param base the address at which phones reach the server, without a slash at its end
 * @throws Problem not_found; invalid_parameter for a type of another event, or if there are 1,000
 */
export async function add(tx: WriteTx, input: NewDevice, base: string): Promise<Pairing> {
  await events.get(tx, input.event_id)
  const ids = input.registration_type_ids
  if (ids !== null) await refuseOtherTypes(tx, input.event_id, ids)
  if ((await store.countByEvent(tx, input.event_id)) >= MOST_DEVICES) {
    throw new Problem('invalid_parameter', { message: `An event has at most ${MOST_DEVICES} devices.` })
  }
  // Its phone must know the key of the event's first ticket, even if somebody buys that after the pairing.
  await attendees.ensureTicketKey(tx, input.event_id)
  const id = newUuid()
  const row = {
    id,
    account_id: tx.accountId,
    event_id: input.event_id,
    name: input.name,
    registration_type_ids: ids === null ? null : JSON.stringify([...new Set(ids)]),
    search: input.search ? 1 : 0,
    unlisted: input.unlisted ? 1 : 0,
    way: input.way ?? 'in',
  } as const
  await store.insert(tx, row, await tx.now())
  return renewPairing(tx, id, base)
}

/** Describes the entry of a new device in the access log, for `recordedWrite`. */
export const addEntry: WriteEntry<Pairing> = {
  action: 'device.create',
  targetType: 'device',
  targetOf: ({ id }) => id,
  details: (_, made) => ({ name: made?.name, event: made?.event_id }),
}

/**
 * Refuses types that the event does not have.
 *
 * @throws Problem invalid_parameter
 */
export async function refuseOtherTypes(tx: ReadTx, eventId: string, ids: readonly string[]): Promise<void> {
  const types = await registrationTypes.listByEvent(tx, eventId)
  const existing = new Set(types.map(({ id }) => id))
  if (ids.length > 0 && ids.every(id => existing.has(id))) return
  const message = 'The event has no such ticket type.'
  throw new Problem('invalid_parameter', { param: 'registration_type_ids', message })
}

/**
 * Makes a new secret for a device. The secret before ends at once. The phone that was paired before loses its access once the
 * new secret is used.
 *
 * @throws Problem not_found, also for a device that was revoked
 */
export async function renewPairing(tx: WriteTx, id: string, base: string): Promise<Pairing> {
  const secret = randomBytes(16).toString('base64url')
  const expiresAt = tx.clock() + PAIRING_TIME
  const made = { hash: hashToken(secret), expiresAt }
  const changed = await store.setSecret(tx, id, made, await tx.now())
  const row = await store.find(tx, id)
  if (changed === 0 || row === undefined) throw new Problem('not_found', { subject: id })
  const { name, event_id } = row
  const pairing_url = `${base}${DOOR_PATH}/#pair=${secret}`
  return { id, name, event_id, pairing_url, expires_at: toIso(expiresAt) }
}

export function renewEntry(id: string): WriteEntry<Pairing> {
  return { action: 'device.pair', targetType: 'device', targetId: id }
}

/**
 * Lists the devices of an event, oldest first.
 *
 * @throws Problem not_found
 */
export async function list(tx: ReadTx, eventId: string): Promise<Device[]> {
  await events.get(tx, eventId)
  return (await store.listByEvent(tx, eventId)).map(presentDevice)
}

/** Lists the devices of all events of an account, event by event. */
export async function listAll(tx: ReadTx): Promise<Device[]> {
  return (await store.listByAccount(tx)).map(presentDevice)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Device> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found', { subject: id })
  return presentDevice(row)
}

/**
 * Returns a device of an event that still works.
 *
 * @throws Problem not_found
 */
export async function getOfEvent(tx: ReadTx, eventId: string, id: string): Promise<Device> {
  const device = await get(tx, id)
  if (device.event_id !== eventId || device.revoked_at !== null) {
    throw new Problem('not_found', { subject: id })
  }
  return device
}

/** Finds the account of a device, for the command line, whose user owns all accounts. */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string | undefined> {
  return (await store.findOwner(tx, id))?.account_id
}

/**
 * Revokes a device. It may still send what it holds, which somebody has to look at then. Its phone forgets the list.
 *
 * @throws Problem not_found
 */
export async function revoke(tx: WriteTx, id: string): Promise<Device> {
  await store.revoke(tx, id, tx.clock(), await tx.now())
  return get(tx, id)
}

export function revokeEntry(id: string): WriteEntry<Device> {
  return {
    action: 'device.revoke',
    targetType: 'device',
    targetId: id,
    details: (_, device) => ({ name: device?.name }),
  }
}

/** Describes a device that calls the server. */
export interface CallingDevice extends Pick<store.DeviceRow, 'id' | 'account_id' | 'event_id' | 'name'> {
  /** The types that it admits. Null means all tickets, without extras. */
  typeIds: readonly string[] | null
  search: boolean
  unlisted: boolean
  way: store.DeviceRow['way']
  /** The instant of the first pairing, in milliseconds. */
  pairedAt: number
  isRevoked: boolean
  /** How many more of its scans the server takes. */
  room: number
}

function toCalling(row: store.DeviceRow): CallingDevice {
  const { id, account_id, event_id, name } = row
  return {
    ...{ id, account_id, event_id, name },
    typeIds: typeIdsOf(row),
    search: row.search === 1,
    unlisted: row.unlisted === 1,
    way: row.way,
    pairedAt: row.paired_at ?? row.created_at,
    isRevoked: row.revoked_at !== null,
    room: (row.revoked_at === null ? MOST_SCANS : MOST_SCANS_OF_REVOKED) - row.taken,
  }
}

/**
 * Exchanges a secret for the token of its device. Because an answer may be lost, the exchange can be repeated until a token was
 * used. Each token ends those before it.
 *
 * @throws Problem not_found; pairing_ended if the secret is too old or was used
 */
export async function pair(tx: WriteTx, secret: string): Promise<{ token: string; device: CallingDevice }> {
  const row = await store.findBySecret(tx, hashToken(secret))
  if (row?.account_id !== tx.accountId || row.revoked_at !== null) throw new Problem('not_found')
  const now = tx.clock()
  if (!isLive(row.pairing_expires_at ?? 0, now, PAIRING_TIME)) throw new Problem('pairing_ended')
  const token = newToken()
  const made = { hash: hashToken(token), at: now }
  await store.setToken(tx, row.id, made, await tx.now())
  return { token, device: toCalling({ ...row, paired_at: row.paired_at ?? now }) }
}

/**
 * Returns the account that a secret belongs to.
 *
 * @throws Problem not_found
 */
export async function accountOfSecret(tx: InstanceReadTx, secret: string): Promise<string> {
  const row = await store.findBySecret(tx, hashToken(secret))
  if (row === undefined) throw new Problem('not_found')
  return row.account_id
}

/** Says what has to be written about a device that called. */
export interface Sign {
  /** Its token was used for the first time, which ends its secret. */
  endsPairing: boolean
  /** Its last sign is too old. */
  isSeen: boolean
}

/**
 * Returns the device of a token.
 *
 * @param now milliseconds of the clock
 * @throws Problem invalid_device
 */
export async function authenticate(
  tx: InstanceReadTx,
  token: string,
  now: number,
): Promise<{ device: CallingDevice; sign: Sign }> {
  const row = isToken(token) ? await store.findByToken(tx, hashToken(token)) : undefined
  if (row === undefined) throw new Problem('invalid_device')
  const lastSeen = row.last_seen_at
  const sign = {
    endsPairing: row.token_unused === 1,
    isSeen: lastSeen === null || Math.abs(now - lastSeen) >= SEEN_EVERY,
  }
  return { device: toCalling(row), sign }
}

/** Counts the scans of a device that the server took and did not have before. */
export async function noteTaken(tx: WriteTx, id: string, count: number): Promise<void> {
  if (count > 0) await store.addTaken(tx, id, count, await tx.now())
}

/**
 * Notes that a device has called.
 *
 * @param waiting how many scans are on the phone; undefined if it has not said
 */
export async function noteSign(
  tx: WriteTx,
  id: string,
  { endsPairing }: Pick<Sign, 'endsPairing'>,
  waiting?: number,
): Promise<void> {
  const at = tx.clock()
  const now = await tx.now()
  if (endsPairing) await store.endPairing(tx, id, now)
  await store.noteSeen(tx, id, { at, waiting }, now)
}
