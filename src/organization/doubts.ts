/** What may turn out otherwise once the faults of an event are mended: nothing is concluded from it. */
export interface Doubts {
  currency: boolean
  /** Types that the file describes with faults, by name, or any where such a name cannot be read. */
  types: DoubtfulNames
  /** The same of shared capacity. */
  pools: DoubtfulNames
  /** Whether codes have faults, so that others than are known may be meant. */
  codes: boolean
  /** Those that contradict themselves: which of it is meant is open. */
  registrations: ReadonlySet<object>
  /** Whether what has faults may be a refund, which gives places back. */
  refunds: boolean
}

interface DoubtfulNames {
  names: ReadonlySet<string>
  any: boolean
}

/** Whether the file may describe a type of that name. */
export function mayBeDescribed(name: string, doubts: Doubts | undefined): boolean {
  return doubts !== undefined && isAmong(name, doubts.types)
}

export function isAmong(name: string, { names, any }: DoubtfulNames): boolean {
  return any || names.has(name)
}
