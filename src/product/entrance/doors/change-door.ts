import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import { noteEventAtDoors } from '#product/guests/attendees/door-changes.ts'
import { get, refuseOtherTypes } from './rules.ts'
import type { Device, NewDevice } from './schemas.ts'
import * as store from './store.ts'

export type DeviceChange = Pick<NewDevice, 'name' | 'registration_type_ids'>

export interface ChangedDevice {
  before: DeviceChange
  device: Device
}

/**
 * Renames a device, or lets it admit other types. Its phone learns it when it next asks for changes. With other types it fetches
 * the list anew, because it has no names of types that it does not admit. Scans keep the name that the door had.
 *
 * @throws Problem not_found, also for a device that was revoked; invalid_parameter for a type of another event
 */
export async function changeDoor(tx: WriteTx, id: string, input: DeviceChange): Promise<ChangedDevice> {
  const was = await get(tx, id)
  if (was.revoked_at !== null) throw new Problem('not_found', { subject: id })
  const before = inOrder(was)
  const after = inOrder(input)
  const ids = after.registration_type_ids
  // A type that the door had may be gone meanwhile, and stays without effect.
  const added = ids?.filter(each => before.registration_type_ids?.includes(each) !== true) ?? []
  if (ids?.length === 0 || added.length > 0) await refuseOtherTypes(tx, was.event_id, added)
  const types = ids === null ? null : JSON.stringify(ids)
  await store.change(tx, id, { name: after.name, registration_type_ids: types }, await tx.now())
  const isOther = JSON.stringify(ids) !== JSON.stringify(before.registration_type_ids)
  if (isOther) await noteEventAtDoors(tx, was.event_id)
  return { before, device: await get(tx, id) }
}

/** Describes the entry of a changed device in the access log. */
export function changeEntry(id: string): WriteEntry<ChangedDevice> {
  return {
    ...{ action: 'device.update', targetType: 'device', targetId: id },
    hasChanged: ({ before, device }) => JSON.stringify(before) !== JSON.stringify(inOrder(device)),
    details: (_, changed) => (changed && { before: changed.before, after: inOrder(changed.device) }) ?? {},
  }
}

/** The order of the types means nothing. */
function inOrder({ name, registration_type_ids: ids }: DeviceChange): DeviceChange {
  return { name, registration_type_ids: ids === null ? null : [...new Set(ids)].sort() }
}
