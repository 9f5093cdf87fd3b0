/** What a type is: a ticket admits somebody to the event; an extra is bought only beside a ticket, such as dinner or a T-shirt. */
export const typeKinds = ['ticket', 'extra'] as const

export type TypeKind = (typeof typeKinds)[number]

/** Returns those of some types that are tickets. */
export function ticketsAmong<Type extends { kind: TypeKind }>(types: readonly Type[]): Type[] {
  return types.filter(({ kind }) => kind === 'ticket')
}
