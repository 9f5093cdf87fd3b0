/** What may turn out otherwise once the faults of an event are mended: nothing is concluded from it. */
export interface Doubts {
  currency: boolean
  /** Types that the file describes with faults, by name, or any where such a name cannot be read. */
  types: { names: ReadonlySet<string>; any: boolean }
  /** Those that contradict themselves: which of it is meant is open. */
  registrations: ReadonlySet<object>
  /** Whether what has faults may be a refund, which gives places back. */
  refunds: boolean
}

/** Whether the file may describe a type of that name. */
export function mayBeDescribed(name: string, doubts: Doubts | undefined): boolean {
  return doubts !== undefined && (doubts.types.any || doubts.types.names.has(name))
}
