import type { Snapshot } from '#product/selling/receipts/schemas.ts'

/** Makes the snapshot of a sound receipt with little in it. */
export function snapshotOf({ total, ...changes }: Partial<Snapshot> & { total: number }): Snapshot {
  return {
    ...{
      number: 'R-000001',
      issued_at: '2026-11-21T12:00:00.000Z',
      language: 'en',
      order: 'A',
      corrects: null,
    },
    timezone: 'Europe/Madrid',
    seller: { name: 'Ada Events', address: null, tax_id: null },
    buyer: { name: 'Bob', company: null, address: null, vat_id: null },
    event: { title: 'Spring Meeting', starts_at: null, ends_at: null, timezone: 'Europe/Madrid' },
    ...{ lines: [], rest: total, net: total, tax: 0, total, exemption: null },
    taxes: [{ basis_points: 0, net: total, tax: 0, gross: total }],
    paid: { method: 'cash', at: '2026-11-21T12:00:00.000Z' },
    ...changes,
  }
}
