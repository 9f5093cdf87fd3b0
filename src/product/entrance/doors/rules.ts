import { randomBytes } from 'node:crypto'
import type { WriteEntry } from '../access-log/recorded-write.ts'
import * as attendees from '../attendees/rules.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { MINUTE, toIso } from '../time.ts'
import { hashToken, isLive, isToken, newToken } from '../users/token.ts'
import { type Device, type NewDevice, presentDevice, typeIdsOf } from './schemas.ts'
import * as store from './store.ts'

/** Where the page of scanners is, below the address of a server. */
export const DOOR_PATH = '/door'

/** How long a device can be paired by a secret, in milliseconds. */
export const PAIRING_TIME = 15 * MINUTE
/** Devices of one event: the largest venue has some hundred doors. */
const MOST_DEVICES = 1_000
/** Scans of one device: three a second, for a day. */
const MOST_SCANS = 250_000
/** Of one that was revoked it is what a phone may still hold. */
const MOST_SCANS_OF_REVOKED = 20_000
/** How old what is known of a device's last sign may be, in milliseconds. */
const SEEN_EVERY = MINUTE

/** What a phone is paired by, for 15 minutes: told once. */
export interface Pairing {
  id: string
  name: string
  event_id: string
  /** In the part of the address that no server is sent. */
  pairing_url: string
  expires_at: string
}

/**
 * Makes a door of an event, which a phone is then paired with.
 *
 * @param base the address that phones reach the server by, without a slash at its end
 * @throws Problem not_found; invalid_parameter for a type of another event, or where there are 1,000
 */
export async function add(tx: WriteTx, accountId: string, input: NewDevice, base: string): Promise<Pairing> {
  await events.get(tx, accountId, input.event_id)
  const ids = input.registration_type_ids
  if (ids !== null) await refuseOtherTypes(tx, accountId, input.event_id, ids)
  if ((await store.countByEvent(tx, accountId, input.event_id)) >= MOST_DEVICES) {
    throw new Problem('invalid_parameter', { message: `An event has at most ${MOST_DEVICES} devices.` })
  }
  // Its phone has to know a ticket that is the first of the event, and bought after it was paired.
  await attendees.ensureTicketKey(tx, accountId, input.event_id)
  const id = newUuid()
  const row = {
    id,
    account_id: accountId,
    event_id: input.event_id,
    name: input.name,
    registration_type_ids: ids === null ? null : JSON.stringify([...new Set(ids)]),
    search: input.search ? 1 : 0,
    unlisted: input.unlisted ? 1 : 0,
  } as const
  await store.insert(tx, row, await tx.now())
  return renewPairing(tx, accountId, id, base)
}

/** The entry of a new device in the access log, for `recordedWrite`. */
export const addEntry: WriteEntry<Pairing> = {
  action: 'device.create',
  targetType: 'device',
  targetOf: ({ id }) => id,
  details: (_, made) => ({ name: made?.name, event: made?.event_id }),
}

/** @throws Problem invalid_parameter */
async function refuseOtherTypes(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  ids: readonly string[],
): Promise<void> {
  const types = await registrationTypes.listByEvent(tx, accountId, eventId)
  const known = new Set(types.map(({ id }) => id))
  if (ids.length > 0 && ids.every(id => known.has(id))) return
  const message = 'The event has no such ticket type.'
  throw new Problem('invalid_parameter', { param: 'registration_type_ids', message })
}

/**
 * A new secret for a device: the one before ends, and with its use the phone that was paired before.
 *
 * @throws Problem not_found, also for one that was revoked
 */
export async function renewPairing(
  tx: WriteTx,
  accountId: string,
  id: string,
  base: string,
): Promise<Pairing> {
  const secret = randomBytes(16).toString('base64url')
  const expiresAt = tx.clock() + PAIRING_TIME
  const made = { hash: hashToken(secret), expiresAt }
  const changed = await store.setSecret(tx, accountId, id, made, await tx.now())
  const row = await store.find(tx, accountId, id)
  if (changed === 0 || row === undefined) throw new Problem('not_found', { subject: id })
  const { name, event_id } = row
  const pairing_url = `${base}${DOOR_PATH}/#pair=${secret}`
  return { id, name, event_id, pairing_url, expires_at: toIso(expiresAt) }
}

export function renewEntry(id: string): WriteEntry<Pairing> {
  return { action: 'device.pair', targetType: 'device', targetId: id }
}

/** The devices of an event, oldest first. @throws Problem not_found */
export async function list(tx: ReadTx, accountId: string, eventId: string): Promise<Device[]> {
  await events.get(tx, accountId, eventId)
  return (await store.listByEvent(tx, accountId, eventId)).map(presentDevice)
}

/** Those of all events of an account, event by event. */
export async function listAll(tx: ReadTx, accountId: string): Promise<Device[]> {
  return (await store.listByAccount(tx, accountId)).map(presentDevice)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Device> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found', { subject: id })
  return presentDevice(row)
}

/** A device that still works, of one event. @throws Problem not_found */
export async function getOfEvent(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<Device> {
  const device = await get(tx, accountId, id)
  if (device.event_id !== eventId || device.revoked_at !== null) {
    throw new Problem('not_found', { subject: id })
  }
  return device
}

/** Whose a device is: for the command line, whose person owns them all. */
export async function findOwner(tx: ReadTx, id: string): Promise<string | undefined> {
  return (await store.findOwner(tx, id))?.account_id
}

/**
 * Ends a device: it may still send what it holds, which somebody looks at then, and has its phone forget the list.
 *
 * @throws Problem not_found
 */
export async function revoke(tx: WriteTx, accountId: string, id: string): Promise<Device> {
  await store.revoke(tx, accountId, id, tx.clock(), await tx.now())
  return get(tx, accountId, id)
}

export function revokeEntry(id: string): WriteEntry<Device> {
  return {
    action: 'device.revoke',
    targetType: 'device',
    targetId: id,
    details: (_, device) => ({ name: device?.name }),
  }
}

/** A device that asks. */
export interface CallingDevice extends Pick<store.DeviceRow, 'id' | 'account_id' | 'event_id' | 'name'> {
  /** The types that it admits; null for all. */
  typeIds: readonly string[] | null
  search: boolean
  unlisted: boolean
  /** Of the first pairing, in milliseconds. */
  pairedAt: number
  isRevoked: boolean
  /** How many more of its scans are taken. */
  room: number
}

function toCalling(row: store.DeviceRow): CallingDevice {
  const { id, account_id, event_id, name } = row
  return {
    ...{ id, account_id, event_id, name },
    typeIds: typeIdsOf(row),
    search: row.search === 1,
    unlisted: row.unlisted === 1,
    pairedAt: row.paired_at ?? row.created_at,
    isRevoked: row.revoked_at !== null,
    room: (row.revoked_at === null ? MOST_SCANS : MOST_SCANS_OF_REVOKED) - row.taken,
  }
}

/**
 * Exchanges a secret for the token of its device. It can be repeated, as an answer may be lost, until a token was used; each ends
 * those before.
 *
 * @throws Problem not_found; pairing_ended where it is too old or was used
 */
export async function pair(
  tx: WriteTx,
  accountId: string,
  secret: string,
): Promise<{ token: string; device: CallingDevice }> {
  const row = await store.findBySecret(tx, hashToken(secret))
  if (row?.account_id !== accountId || row.revoked_at !== null) throw new Problem('not_found')
  const now = tx.clock()
  if (!isLive(row.pairing_expires_at ?? 0, now, PAIRING_TIME)) throw new Problem('pairing_ended')
  const token = newToken()
  const made = { hash: hashToken(token), at: now }
  await store.setToken(tx, accountId, row.id, made, await tx.now())
  return { token, device: toCalling({ ...row, paired_at: row.paired_at ?? now }) }
}

/** Whose account a secret belongs to. @throws Problem not_found */
export async function accountOfSecret(tx: ReadTx, secret: string): Promise<string> {
  const row = await store.findBySecret(tx, hashToken(secret))
  if (row === undefined) throw new Problem('not_found')
  return row.account_id
}

/** What is to be written about a device that asked. */
export interface Sign {
  /** Its token was used for the first time: its secret ends with that. */
  endsPairing: boolean
  /** It was seen too long ago. */
  isSeen: boolean
}

/**
 * The device of a token.
 *
 * @param now milliseconds of the clock
 * @throws Problem invalid_device
 */
export async function authenticate(
  tx: ReadTx,
  token: string,
  now: number,
): Promise<{ device: CallingDevice; sign: Sign }> {
  const row = isToken(token) ? await store.findByToken(tx, hashToken(token)) : undefined
  if (row === undefined) throw new Problem('invalid_device')
  const seen = row.last_seen_at
  const sign = {
    endsPairing: row.token_unused === 1,
    isSeen: seen === null || Math.abs(now - seen) >= SEEN_EVERY,
  }
  return { device: toCalling(row), sign }
}

/** Notes that scans of a device were taken that were not here before. */
export async function noteTaken(tx: WriteTx, accountId: string, id: string, count: number): Promise<void> {
  if (count > 0) await store.addTaken(tx, accountId, id, count, await tx.now())
}

/** Notes that a device has asked. @param waiting scans on the phone; undefined where it has not said */
export async function noteSign(
  tx: WriteTx,
  accountId: string,
  id: string,
  { endsPairing }: Pick<Sign, 'endsPairing'>,
  waiting?: number,
): Promise<void> {
  const at = tx.clock()
  const now = await tx.now()
  if (endsPairing) await store.endPairing(tx, accountId, id, now)
  await store.noteSeen(tx, accountId, id, { at, waiting }, now)
}
