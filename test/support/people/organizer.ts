import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { NewEvent } from '#product/catalog/events/schemas.ts'
import type { NewType } from '#product/catalog/registration-types/schemas.ts'
import { organization } from '../organization.ts'
import { startWithOrganization } from '../server.ts'

type Context = Parameters<typeof startWithOrganization>[0]

/** Starts a server with one organization, whose organizer changes it by rules. */
export async function startWithOrganizer(t: Context, file = organization()) {
  const server = await startWithOrganization(t, file)
  const { account_id: accountId } = server.applied
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => server.db.write(accountId, tx => work(tx))
  const read = <Result>(work: (tx: ReadTx) => Promise<Result>) => server.db.read(accountId, tx => work(tx))
  return { ...server, accountId, write, read }
}

export const at = (iso: string) => Date.parse(iso)

/** An account needs these values for its events to be published, the paid ones too. */
export const seller = {
  slug: 'ada',
  legal_name: 'Ada Events SL',
  address: 'Gran Vía 1\n28013 Madrid',
  tax_id: 'B12345678',
  imprint_url: 'https://ada.example/imprint',
  privacy_url: 'https://ada.example/privacy',
}

export function newEvent(changes: Partial<NewEvent> = {}): NewEvent {
  return {
    title: 'Autumn Meeting',
    starts_at: at('2026-12-01T08:00:00Z'),
    ends_at: null,
    timezone: 'Europe/Madrid',
    venue: null,
    city: null,
    currency: 'EUR',
    visibility: 'public',
    requires_approval: false,
    description: null,
    ...changes,
  }
}

export function newType(name: string, changes: Partial<NewType> = {}): NewType {
  return {
    name,
    description: null,
    price: 0,
    capacity: 10,
    active: true,
    sales_start: null,
    sales_end: null,
    valid_from: null,
    valid_until: null,
    ...changes,
  }
}
