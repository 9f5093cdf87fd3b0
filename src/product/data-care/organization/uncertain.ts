/** Says what may change once the faults of an event are corrected. Nothing is concluded from it. */
export interface Uncertain {
  currency: boolean
  /** Types that the file describes with faults, by name. It may be any type if such a name cannot be read. */
  types: UncertainNames
  /** Pools that the file describes with faults, in the same way. */
  pools: UncertainNames
  /** Whether codes have faults, so that the file may mean codes other than the known ones. */
  codes: boolean
  /** Registrations that contradict themselves, so that it is open what they mean. */
  registrations: ReadonlySet<object>
  /** Whether an item with faults may be a refund, which gives places back. */
  refunds: boolean
  /** Whether abstracts, or who submits and reviews them, have faults. They name each other. */
  programme: boolean
}

interface UncertainNames {
  names: ReadonlySet<string>
  any: boolean
}

/** Returns whether the file may describe a type with that name. */
export function mayBeDescribed(name: string, uncertain: Uncertain | undefined): boolean {
  return uncertain !== undefined && isAmong(name, uncertain.types)
}

export function isAmong(name: string, { names, any }: UncertainNames): boolean {
  return any || names.has(name)
}
