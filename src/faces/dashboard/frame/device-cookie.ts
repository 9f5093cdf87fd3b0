import { SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { DEVICE_LIFETIME, type Proof } from '#product/administration/users/known-device.ts'
import type { Context } from './context.ts'
import type { PageRequest, Services } from './page-request.ts'

/** The cookie stays when a person signs out, because it lets nobody in. */
export const DEVICE_COOKIE = 'device'

/** Sets the cookie by which the browser is known. @param device a value of `KnownDevices` */
export function keepDevice({ cookies }: Services, context: Context, device: string): void {
  cookies.set(context, DEVICE_COOKIE, device, DEVICE_LIFETIME / SECOND)
}

/** Makes the browser known as one of this person from this sign-in on. */
export async function rememberDevice(
  services: Services,
  context: Context,
  { device: cookie }: PageRequest,
  userId: string,
  proof: Proof,
): Promise<void> {
  const { db, devices } = services
  const device = await db.read(INSTANCE, tx => devices.rememberUser(tx, userId, { cookie, proof }))
  if (device !== undefined) keepDevice(services, context, device)
}
